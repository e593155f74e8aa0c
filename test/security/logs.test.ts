import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { Logger } from "../../src/core/logger.ts";
import { defineTool } from "../../src/plugins/define.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { answers, ask, shown, write } from "../journeys/answer.ts";
import { runApp } from "../journeys/running-app.ts";

// Everything that the program writes beside its answers, at the most talkative level, swept for words that were planted in secrets,
// questions, documents, tool failures and other people's error messages.

const key = "sk-CANARYkey0123456789";
const planted = /CANARY/;

let written: string[];
let restore: (() => void)[];
beforeEach(() => {
  written = [];
  const keep = (piece: unknown) => {
    written.push(String(piece));
    return true;
  };
  const spies = [
    jest.spyOn(process.stdout, "write").mockImplementation(keep as typeof process.stdout.write),
    jest.spyOn(process.stderr, "write").mockImplementation(keep as typeof process.stderr.write),
    ...(["log", "info", "warn", "error", "debug"] as const).map((method) => jest.spyOn(console, method).mockImplementation(keep)),
  ];
  restore = spies.map((spy) => () => spy.mockRestore());
});
afterEach(() => {
  for (const each of restore) each();
});

const collector = (): Logger => {
  const keep = (message: string, fields?: object) => void written.push(JSON.stringify([message, fields]));
  const log: Logger = { debug: keep, info: keep, warn: keep, error: keep, with: () => log };
  return log;
};

const failing = {
  name: "failing",
  tools: [
    defineTool({
      name: "failing_tool",
      description: "Fails.",
      parameters: { type: "object", properties: {} },
      annotations: { readOnly: true },
      execute: async () => {
        throw Object.assign(new Error("CANARYtoolfailure"), { headers: { authorization: "Bearer CANARYheader" } });
      },
    }),
  ],
};

test("T57: neither words nor secrets reach the log, whatever fails", async () => {
  const model = await ModelServer.start(({ messages }, reply) => {
    if (messages.at(-1)?.role === "tool") return reply.say("CANARYanswer <!channel>");
    reply.call("failing_tool", {});
    reply.call("query_documents", { query: "CANARYquery" });
    reply.call("CANARYtoolname", { x: "CANARYargument" });
    reply.callRaw("query_documents", '{"query": "CANARYhalf');
  });
  const running = await runApp({
    modelUrl: model.url,
    documents: false,
    morePlugins: [failing],
    log: collector(),
    environment: { OPENAI_API_KEY: key, FOOTNOTE_LOG_LEVEL: "debug" },
  });
  const folder = await mkdtemp(join(tmpdir(), "footnote-CANARYfolder-"));
  await writeFile(join(folder, "CANARYname.md"), "# CANARYtitle\n\nCANARYtext");
  await writeFile(join(folder, "CANARYbroken.pdf"), "%PDF-1.4 CANARYbytes");
  await running.app.operations.ingest({ workspace: "acme", paths: [folder] }, () => {}, new AbortController().signal);
  const asking = { workspace: "acme", as: "alice", channel: "general", question: "CANARYquestion" };

  await ask(running.slack, asking);
  for (const fault of [{ error: "fatal_error" }, { httpStatus: 500 }, { httpStatus: 404 }, { retryAfter: 1 }, { afterStoring: true }])
    running.slack.fail({ method: "chat.update", ...fault });
  await ask(running.slack, asking);
  running.slack.fail({ method: "chat.postMessage", error: "restricted_action" });
  await write(running.slack, asking);
  running.slack.fail({ method: "users.info", error: "fatal_error", times: 3 });
  await write(running.slack, { ...asking, as: "bob" });
  const failed = await running.app.operations
    .ask({ workspace: "CANARYworkspace", as: "alice", question: "CANARYquestion" }, { write: () => {} }, new AbortController().signal)
    .catch(() => "refused");
  expect(failed).toBe("refused");
  await running.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });

  expect(written.join("\n")).toContain("A turn has ended.");
  expect(written.filter((line) => planted.test(line))).toEqual([]);
  expect(written.filter((line) => /xox[bp]-|xapp-/.test(line))).toEqual([]);
});

test("T57: a model's server that answers with the request and the key leaves neither in the log nor in the thread", async () => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      response.writeHead(400, { "Content-Type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: `Bad request with ${request.headers.authorization}: ${body}`, code: `CANARY${body}` } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const modelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const running = await runApp({ modelUrl, documents: false, log: collector(), environment: { OPENAI_API_KEY: key } });
  const asking = { workspace: "acme", as: "alice", channel: "general", question: "CANARYquestion" };
  const { thread, text } = await ask(running.slack, asking);
  expect(text).not.toMatch(/sk-CANARY|Bearer/);
  expect(answers(running.slack, asking, thread).map(shown).join("\n")).not.toMatch(/Bad request with/);
  const id = /Trace `([0-9a-f-]{36})`/.exec(text)?.[1] ?? "";
  expect(JSON.stringify(await running.app.operations.trace(id))).not.toMatch(/sk-CANARY|Bearer/);
  await running.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(written.filter((line) => planted.test(line))).toEqual([]);
});
