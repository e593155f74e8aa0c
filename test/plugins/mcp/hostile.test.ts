import { silentLogger } from "../../../src/core/logger.ts";
import { openSession, type ServerSession } from "../../../src/plugins/mcp/client-session.ts";
import { isLeftOut, readDefinition } from "../../../src/plugins/mcp/definition.ts";
import type { ServerFetch } from "../../../src/plugins/mcp/server-fetch.ts";
import { StdioTransport } from "../../../src/plugins/mcp/stdio/transport.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { closeAll, connectionTo, programServer } from "./fixture.ts";

afterEach(closeAll);

const server = { ...programServer(), transport: { kind: "http" as const, url: "https://mcp.example/api", headers: {} } };

/** A server whose answers are written as text, so that they can be what no library would write. @param list what `tools` and `nextCursor` are, for a cursor */
function written(list: (cursor: string | undefined) => string): ServerFetch {
  return async (_url, init) => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = JSON.parse(String(init.body)) as { id?: number | string; method: string; params?: { cursor?: string } };
    const answer = (rest: string) =>
      new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`, { headers: { "Content-Type": "application/json" } });
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize")
      return answer('"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"evil","version":"1"}}');
    return method === "tools/list" ? answer(`"result":${list(params?.cursor)}`) : answer('"error":{"code":-32601,"message":"no"}');
  };
}

const tool = (name: string, schema = "{}", description = "Does it.") =>
  `{"name":"${name}","description":"${description}","inputSchema":${schema}}`;
const namesOf = async (fetch: ServerFetch) => {
  const { named, leftOut } = await connectionTo(server, { fetch }).tools();
  return { named: named.map(({ name }) => name), leftOut: leftOut.map(({ reason }) => reason) };
};

describe("a server with definitions that are made to break whoever reads them", () => {
  test.each([
    [
      "nested a hundred thousand levels deep",
      `{"properties":{"a":${'{"items":'.repeat(100_000)}{}${"}".repeat(100_000)}}}`,
      "nested too deeply",
    ],
    ["with three hundred thousand values", `{"properties":{"a":{"enum":[${Array(300_000).fill(1).join()}]}}}`, "too long"],
    ["that refers to itself", '{"$ref":"#/properties/a","properties":{"a":{"$ref":"#"}}}', undefined],
  ])("%s: it costs itself at most, and the others are there", async (_what, schema, reason) => {
    const { named, leftOut } = await namesOf(written(() => `{"tools":[${tool("evil", schema)},${tool("good")}]}`));
    expect(named).toContain("fixture__good");
    expect(leftOut).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
  });

  test("a wide one is judged, wherever it comes from", () => {
    const read = readDefinition({ name: "evil", inputSchema: { enum: Array(300_000).fill("x") } });
    expect(read && isLeftOut(read) && read.reason).toContain("too long");
  });

  test("a list is read up to eight million characters, however many pages there are", async () => {
    let pages = 0;
    const { named } = await namesOf(
      written((cursor) => {
        pages += 1;
        const big = tool(`t${cursor ?? 0}`, "{}", "x".repeat(1_000_000));
        return `{"tools":[${tool(`small_${cursor ?? 0}`)},${big}],"nextCursor":"${pages}"}`;
      }),
    );
    expect(pages).toBeLessThanOrEqual(9);
    expect(named).toContain("fixture__small_0");
  });
});

test("a server that says a thousand times that its tools are others is asked for them one reading at a time, and once more at the end", async () => {
  let lists = 0;
  let finish: () => void = () => undefined;
  let changed: () => void = () => undefined;
  const session: ServerSession = {
    list: () => {
      lists += 1;
      return new Promise((resolve) => {
        finish = () => resolve([]);
      });
    },
    call: () => Promise.reject(new Error("not called")),
    closed: new AbortController().signal,
    protocolVersion: "2025-11-25",
    close: async () => undefined,
  };
  const connection = connectionTo(server, {
    open: async (_signal, listChanged) => {
      changed = listChanged;
      return session;
    },
  });
  const soon = () => new Promise((resolve) => setImmediate(resolve));
  const first = connection.tools();
  await soon();
  finish();
  await first;
  for (let at = 0; at < 1_000; at++) changed();
  await soon();
  expect(lists).toBe(2);
  finish();
  await soon();
  expect(lists).toBe(3);
  finish();
  await soon();
  expect(lists).toBe(3);
});

test("a program that never stops talking is ended, however short its words are", async () => {
  // Within one moment of this clock, however long it takes.
  const talk =
    'const say = () => { process.stdout.write(\'{"jsonrpc":"2.0","method":"notifications/x"}\\n\'.repeat(500)); setImmediate(say); }; say();';
  const launch = { command: process.execPath, args: ["-e", talk], env: {} };
  const transport = new StdioTransport(launch, undefined, { clock: new ManualClock(), log: silentLogger });
  let heard = 0;
  transport.onmessage = () => {
    heard += 1;
  };
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  await ended;
  // What had to wait behind other news when it was ended is not heard any more.
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThanOrEqual(20_000);
});

test("a server that opens a stream and never says a word in it is given up after a minute, so that nobody waits for it for ever", async () => {
  const clock = new ManualClock();
  const silent: ServerFetch = async (_url, init) =>
    init?.method === "POST"
      ? new Response(null, { status: 404 })
      : new Response(new ReadableStream({}), { headers: { "Content-Type": "text/event-stream" } });
  const connection = connectionTo(server, {
    clock,
    open: (signal, listChanged) => openSession({ server, fetch: silent, clock, log: silentLogger, signal, listChanged }),
  });
  let outcome: unknown;
  void connection.tools().catch((thrown: unknown) => {
    outcome = thrown;
  });
  while (outcome === undefined) {
    clock.advance(5_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(outcome).toMatchObject({ code: "MCP_UNREACHABLE" });
});

test.each([
  ["redirects to an address inside", () => new Response(null, { status: 307, headers: { Location: "http://169.254.169.254/latest" } })],
  [
    "names an address inside as the place for messages",
    (method: string | undefined) =>
      method === "POST"
        ? new Response(null, { status: 404 })
        : new Response("event: endpoint\ndata: http://169.254.169.254/latest\n\n", { headers: { "Content-Type": "text/event-stream" } }),
  ],
])("T42: a server that %s has nobody go there, whatever the way out allows", async (_how, answer) => {
  const asked = new Set<string>();
  const fetch: ServerFetch = async (url, init) => {
    asked.add(new URL(url).origin);
    return answer(init?.method);
  };
  await expect(connectionTo(server, { fetch }).tools()).rejects.toMatchObject({ code: "MCP_UNREACHABLE" });
  expect([...asked]).toEqual(["https://mcp.example"]);
});
