import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { controlAddress } from "../../src/cli/control-address.ts";
import { connectToRunning } from "../../src/cli/control-client.ts";
import { startControlServer } from "../../src/cli/control-server.ts";
import { answerForPeople, ingestForPeople, traceForPeople } from "../../src/cli/print.ts";
import { TerminalSink } from "../../src/cli/terminal-sink.ts";
import { traceId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

describe("T29 at the terminal: what a model, a document or a file's name says is shown, never obeyed", () => {
  const evil = "red \u001b[31m title \u001b]0;pwned\u0007 up \u009b2A back \b\b\b\rover \u202Eesrever";
  const obeyed = /(?![\n\t])\p{Cc}|\u202E/u;

  test.each([true, false])("in an answer and its activity (terminal: %s)", (isTTY) => {
    let written = "";
    const out = {
      isTTY,
      write: (text: string) => {
        written += text;
      },
    };
    const sink = new TerminalSink(out, out);
    const call = { id: "1", name: "query_documents", params: {} };
    const result = {
      type: "text",
      content: "",
      metadata: {},
      status: "error",
      error: { code: "X", message: evil, retryable: false },
    } as const;
    sink.write({ type: "tool-start", call, label: evil });
    sink.write({ type: "tool-end", call, label: evil, result, ms: 1 });
    sink.write({ type: "notice", text: evil });
    sink.write({ type: "text-delta", text: evil } as Parameters<TerminalSink["write"]>[0]);
    sink.write({ type: "answer-end", text: `${evil} end`, outcome: "answered" });
    expect(written).toMatch(/red .*title[\s\S]*end/);
    expect(written).not.toMatch(obeyed);
  });

  test("in sources, reports of files and traces", () => {
    const report = {
      status: "answered",
      answer: "",
      tools: [],
      traceId: traceId("t"),
      citations: [{ n: 1, title: evil, page: 1, url: null, quote: evil }],
    } as Parameters<typeof answerForPeople>[0];
    const files = [{ path: evil, status: "failed", passages: 0, reason: evil }] as const;
    const trace = { workspace: evil, trace: { id: evil } } as unknown as Parameters<typeof traceForPeople>[0];
    for (const text of [answerForPeople(report), ingestForPeople({ files, ms: 1 }), traceForPeople(trace)]) {
      expect(text).toContain("title");
      expect(text).not.toMatch(obeyed);
    }
  });
});

describe("T37: the socket of a data folder with a very long path", () => {
  let base: string;
  let home: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "footnote-"));
    home = join(base, "deep/".repeat(40));
  });
  afterEach(() => {
    rmSync(base, { recursive: true, force: true });
    rmSync(dirname(controlAddress(home)), { recursive: true, force: true });
  });

  test("lies in a folder that nobody else can enter, and that goes with it", async () => {
    expect(await connectToRunning(home)).toBeUndefined();
    const server = await startControlServer(home, new CannedOperations(), silentLogger);
    const folder = dirname(controlAddress(home));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await (await connectToRunning(home))?.workspaces()).toHaveLength(1);
    await server.close();
    expect(existsSync(folder)).toBe(false);
  });

  test.each(["a folder that others can enter", "a link to somewhere else"])(
    "%s is not used, neither to listen nor to connect",
    async (kind) => {
      const folder = dirname(controlAddress(home));
      const elsewhere = kind.startsWith("a link") ? join(base, "elsewhere") : folder;
      mkdirSync(elsewhere);
      chmodSync(elsewhere, 0o777);
      if (elsewhere !== folder) symlinkSync(elsewhere, folder);
      const stranger = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => stranger.listen(join(elsewhere, "control"), resolve));
      await expect(connectToRunning(home)).rejects.toThrow(/not this user's alone/);
      await expect(startControlServer(home, new CannedOperations(), silentLogger)).rejects.toThrow(/not this user's alone/);
      await new Promise((resolve) => stranger.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  );
});
