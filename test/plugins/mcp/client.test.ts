import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpHandler, fromJsonSchema, McpServer as Server } from "@modelcontextprotocol/server";
import type { LogFields, Logger } from "../../../src/core/logger.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { call, closeAll, connectionTo, programServer } from "./fixture.ts";

afterEach(closeAll);

const namesOf = async (connection: ReturnType<typeof connectionTo>) =>
  (await connection.tools()).named.map(({ definition }) => definition.name);

/** Waits for something that happens in another process. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("a program that speaks over its pipes", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("one of revision %s lists and runs its tools", async (revision) => {
    const connection = connectionTo(programServer(["", revision]));
    expect(await namesOf(connection)).toContain("echo");
    expect(await call(connection, "echo", { value: "hello" })).toBe("hello");
  });

  test.each(["exits-on-probe", "silent-on-probe"])("an old one that %s is found to be old", async (manner) => {
    // Only a silent one is found by waiting; one that ends has to be given the time to.
    const connection = connectionTo(programServer([manner]), { probeMs: manner === "silent-on-probe" ? 300 : 60_000 });
    expect(await call(connection, "echo", { value: "hello" })).toBe("hello");
  });

  test("H5-MCP-01: log lines on its output are skipped and told in the log without their text", async () => {
    const lines: string[] = [];
    const log: Logger = {
      ...silentLogger,
      warn: (message: string, fields?: LogFields) => void lines.push(`${message} ${JSON.stringify(fields)}`),
      with: () => log,
    };
    const connection = connectionTo(programServer(["noise"]), { log });
    expect(await namesOf(connection)).toContain("echo");
    for (let at = 0; at < 5; at++) expect(await call(connection, "echo", { value: String(at) })).toBe(String(at));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines.join()).not.toMatch(/Breadcrumb|level|canary/);
  });

  test("H5-MCP-05: a long list is read to its end, and one without an end once", async () => {
    expect(await namesOf(connectionTo(programServer(["pages"])))).toHaveLength(120);
    expect(await namesOf(connectionTo(programServer(["endless"])))).toHaveLength(6);
  });

  test("H5-MCP-08: a result that is too long is an error, and the connection goes on", async () => {
    const connection = connectionTo(programServer());
    await expect(call(connection, "big", { value: String(30 * 1024 * 1024) })).rejects.toThrow("longer than 4 MiB");
    expect((await call(connection, "big", { value: String(3 * 1024 * 1024) })).length).toBe(3 * 1024 * 1024);
  });

  test("its progress is shown", async () => {
    const seen: string[] = [];
    const connection = connectionTo(programServer());
    expect(await call(connection, "slow", { value: "4" }, { progress: (news) => void seen.push(news) })).toBe("done");
    expect(seen.slice(0, 2)).toEqual(["25 % row", "50 % row"]);
  });

  test("its progress is shown also when it comes in one piece with the result", async () => {
    const seen: string[] = [];
    const connection = connectionTo(programServer());
    expect(await call(connection, "slow", { value: "3", at_once: true }, { progress: (news) => void seen.push(news) })).toBe("done");
    expect(seen).toEqual(["33 % row", "67 % row", "100 % row"]);
  });

  test("a call that is stopped is told to the server and ends at once", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "mcp-")), "told");
    const connection = connectionTo(programServer(["", file]));
    await connection.tools();
    const stop = new AbortController();
    const hanging = call(connection, "hang", {}, { signal: stop.signal });
    stop.abort(new Error("stopped by the asker"));
    await expect(hanging).rejects.toThrow("stopped by the asker");
    await until(async () => readFile(file, "utf8").catch(() => undefined));
    expect(await call(connection, "echo", { value: "still here" })).toBe("still here");
  });

  test("F16: a program that dies in a call ends that call at once, and is started anew for the next", async () => {
    const connection = connectionTo(programServer());
    await expect(call(connection, "die")).rejects.toThrow();
    const again = async () => call(connection, "echo", { value: "back" }).catch(() => undefined);
    expect(await until(again)).toBe("back");
  });

  test("what its tools are is read anew when it says so", async () => {
    const lists: string[] = [];
    const listed = async ({ named }: { named: readonly { definition: { description: string } }[] }) =>
      void lists.push(named[0]?.definition.description ?? "");
    const connection = connectionTo(programServer(), { listed });
    await connection.tools();
    await call(connection, "change");
    await until(async () => (lists.length > 1 ? true : undefined));
    expect(lists).toEqual(["Does echo.", "Does echo. Now."]);
  });
});

describe("a server elsewhere", () => {
  const server = { ...programServer(), transport: { kind: "http" as const, url: "https://mcp.example/api", headers: {} } };
  const make = () => {
    const made = new Server({ name: "remote", version: "1" });
    const schema = fromJsonSchema<{ value: string }>({ type: "object", properties: { value: { type: "string" } } });
    made.registerTool("echo", { description: "Echoes.", inputSchema: schema }, async ({ value }) => ({
      content: [{ type: "text", text: value }],
    }));
    return made;
  };

  test.each([
    ["2026-07-28", "reject" as const],
    ["2025-11-25", "stateless" as const],
  ])("one that speaks %s lists and runs its tools", async (revision, legacy) => {
    const handler = createMcpHandler(make, legacy === "reject" ? { legacy } : {});
    const asked = new Set<string>();
    const fetch = async (url: string | URL, init?: RequestInit) => {
      const request = new Request(url, init);
      if (legacy === "stateless" && (await request.clone().text()).includes("server/discover"))
        return Response.json(
          { jsonrpc: "2.0", id: ((await request.json()) as { id: number }).id, error: { code: -32601, message: "Method not found" } },
          { status: 200 },
        );
      asked.add(request.headers.get("mcp-protocol-version") ?? "");
      return handler.fetch(request);
    };
    const connection = connectionTo(server, { fetch });
    expect(await namesOf(connection)).toEqual(["echo"]);
    expect(await call(connection, "echo", { value: "from afar" })).toBe("from afar");
    expect(asked).toContain(revision);
  });

  test("one that cannot be reached is said to be so, with a time for the next try", async () => {
    const connection = connectionTo(server, { fetch: () => Promise.reject(new Error("getaddrinfo ENOTFOUND")) });
    await expect(connection.tools()).rejects.toMatchObject({ code: "MCP_UNREACHABLE" });
    await expect(connection.tools()).rejects.toThrow(/tried again in \d+ s/);
  });
});
