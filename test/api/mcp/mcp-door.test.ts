import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { defaultLimits } from "../../../src/agent/limits.ts";
import { ToolAccess } from "../../../src/agent/tools/tool-access.ts";
import type { TraceRecord } from "../../../src/agent/trace.ts";
import { type KeyAudience, makeKey } from "../../../src/api/api-keys.ts";
import { type HttpServer, startHttpServer } from "../../../src/api/http-server.ts";
import { mcpRoutes } from "../../../src/api/mcp/mcp-door.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Tool } from "../../../src/plugins/contract.ts";
import { text } from "../../../src/plugins/define.ts";
import { openSession } from "../../../src/plugins/mcp/client-session.ts";
import { source, tool } from "../../agent/setup.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { memoryKeys } from "../../fakes/memory-keys.ts";
import { channel, person, place } from "../../fakes/people.ts";
import { acme, globex } from "../../fakes/tool-context.ts";

const [alice, bob, gone] = [person("alice"), person("bob"), person("gone", { deactivated: true })];
const ran: { readonly tool: string; readonly params: unknown; readonly principals: readonly string[] }[] = [];
const noting = (name: string, more: Partial<Tool> = {}) =>
  tool(
    name,
    async (params, { audience, progress }) => {
      ran.push({ tool: name, params, principals: audience.principals });
      progress("half way");
      return text("1 passage found.", { sources: [source("p1", { title: "Leave policy", url: "https://wiki.example/leave" })] });
    },
    more,
  );
const tools = [
  noting("read_documents"),
  noting("search_outside", { effect: "read-outside" }),
  noting("create_ticket", { annotations: {} }),
  noting("wipe", { effect: "destructive" }),
  noting("for_admins"),
  noting("switched_off"),
];
const keysOf = memoryKeys();
const traces: TraceRecord[] = [];
let server: HttpServer;
let off = new Set<string>();
let away: AppError | undefined;

beforeEach(() => {
  ran.length = 0;
  traces.length = 0;
  off = new Set(["switched_off"]);
});
beforeAll(async () => {
  const directory = new MemoryDirectory(
    [alice, bob, gone],
    [alice, bob, gone].map(({ id }) => ({ ...place("dm", "direct"), id: channel(`DM_${id}`) })),
  );
  const none = new Set<string>();
  const names = new Set(tools.map(({ name }) => name));
  const access = new ToolAccess({
    registry: { all: () => tools },
    ...{ clock: systemClock, log: silentLogger, limits: defaultLimits },
    forTenant: () => ({
      directory,
      choices: {
        read: async () => ({
          ...{ flags: none, settings: {}, allowed: names, leastRole: new Map([["for_admins", "admin" as const]]), template: names },
          switchedOff: { admin: none, channel: none, thread: none, person: off },
        }),
      },
      threads: { history: async () => [] },
      traces: { save: async (trace) => void traces.push(trace), find: async () => undefined },
      links: { passage: (id) => `https://footnote.test/p/${id}` },
    }),
  });
  const routes = mcpRoutes({
    access,
    keysOf,
    directory: async (tenant) => {
      if (tenant !== acme) throw new AppError("WORKSPACE_UNKNOWN");
      if (away) throw away;
      return directory;
    },
    limits: { perMinute: 1_000, atOnce: 1_000 },
    publicUrl: () => server.url,
    log: silentLogger,
  });
  server = await startHttpServer(routes, { host: "127.0.0.1", port: 0, log: silentLogger });
});
afterAll(() => server.close());

async function keyFor(who = bob, audience: KeyAudience = "mcp", tenant: TenantId = acme) {
  const { id, text, secretHash } = makeKey(tenant);
  await keysOf(tenant).add({ id, person: who.id, name: "laptop", secretHash, audience });
  return text.reveal();
}

async function post(key: string | undefined, method: string, params: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      ...{ "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const said = await response.text();
  const data = /^data: (.*)$/m.exec(said)?.[1] ?? said;
  return { status: response.status, headers: response.headers, body: JSON.parse(data || "{}") };
}
const callTool = async (key: string, name: string, args: object = {}) => (await post(key, "tools/call", { name, arguments: args })).body;

describe("a key for MCP gives what its person has", () => {
  test.each(["auto", "legacy"] as const)(
    "in either era of the protocol: the tools, a call with its sources, and news of it (%s)",
    async (era) => {
      const key = await keyFor();
      const { signal } = new AbortController();
      const url = `${server.url}/mcp`;
      const session = await openSession({
        server: {
          ...{ name: "footnote", title: "Footnote", workspaces: undefined, silenceMs: 60_000, totalMs: 60_000, effects: {} },
          transport: { kind: "http", url, headers: {} },
        },
        fetch: async (to, init = {}) => {
          // A client from before knows nothing of how servers are asked for their revision now.
          const old = era === "legacy" && String(init.body ?? "").includes("server/discover");
          if (old)
            return new Response(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_601, message: "?" } }), { status: 404 });
          const headers = new Headers(init.headers);
          headers.set("Authorization", `Bearer ${key}`);
          return fetch(to, { ...init, headers });
        },
        ...{ clock: systemClock, log: silentLogger, signal, listChanged: () => undefined },
      });
      expect(session.protocolVersion).toBe(era === "auto" ? "2026-07-28" : "2025-11-25");
      const listed = (await session.list(signal)) as { name: string }[];
      expect(listed.map(({ name }) => name)).toEqual(["create_ticket", "read_documents", "search_outside", "wipe"]);
      const news: unknown[] = [];
      const definition = { name: "read_documents", description: "", inputSchema: {} };
      const result = await session.call(definition, { q: "leave" }, { signal, totalMs: 60_000, onProgress: (said) => news.push(said) });
      expect(result.content).toMatchObject([
        { type: "text", text: "1 passage found." },
        { type: "resource", resource: { uri: "https://wiki.example/leave", text: "Leave policy\nPassage p1." } },
      ]);
      expect(news).toMatchObject([{ message: "half way" }, { message: "Leave policy (https://wiki.example/leave)" }]);
      await session.close();
    },
  );

  test("T12, T38: with the rights of the person's direct message, and a trace of every call", async () => {
    await callTool(await keyFor(alice), "read_documents", { q: "leave" });
    expect(ran).toEqual([{ tool: "read_documents", params: { q: "leave" }, principals: ["everyone", expect.stringContaining(alice.id)] }]);
    expect(traces).toMatchObject([
      { person: alice.id, entries: [{ kind: "tool", tool: "read_documents", status: "success", arguments: { q: "leave" } }] },
    ]);
  });

  test.each(["create_ticket", "wipe"])("T19: %s changes something and nobody can be asked here, so it does not run", async (name) => {
    expect((await callTool(await keyFor(), name)).result).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
  });

  test("T35: what is switched off, for others alone or not there at all is refused in the same way, and never runs", async () => {
    const key = await keyFor();
    for (const name of ["switched_off", "for_admins", "no_such_tool"]) {
      expect((await callTool(key, name)).error).toMatchObject({ code: -32_602 });
    }
    expect(ran).toEqual([]);
    off = new Set();
    expect((await callTool(key, "switched_off")).result.isError).toBeUndefined();
  });
});

describe("T38: nothing else opens it", () => {
  test.each([
    ["no key", async () => undefined],
    ["a key for questions over HTTP", () => keyFor(bob, "api")],
    ["a key of a workspace that is suspended", () => keyFor(bob, "mcp", globex)],
    ["a token of Slack", async () => "xoxb-1234-5678-abcdef"],
    ["a key with one other letter", async () => `${(await keyFor()).slice(0, -1)}_`],
  ])("%s", async (_, key) => {
    const { status, headers } = await post(await key(), "tools/call", { name: "read_documents" }, { "Mcp-Session-Id": "abc" });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`);
    expect(ran).toEqual([]);
  });

  test("the key of somebody who has left", async () => {
    const { body } = await post(await keyFor(gone), "tools/call", { name: "read_documents" });
    expect(body.result).toBeUndefined();
    expect(ran).toEqual([]);
  });

  test("its twin: the right key, and the metadata name the same resource", async () => {
    expect((await callTool(await keyFor(), "read_documents")).result.content[0].text).toBe("1 passage found.");
    const metadata = await (await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp`)).json();
    expect(metadata).toEqual({ resource: `${server.url}/mcp`, resource_name: "Footnote", bearer_methods_supported: ["header"] });
  });
});

test("while Slack or the database is away a good key is not called bad: the caller may come back with it", async () => {
  const key = await keyFor();
  away = new AppError("DATABASE_UNREACHABLE", "detail for operators");
  const { status, headers, body } = await post(key, "tools/list");
  away = undefined;
  expect([status, headers.get("www-authenticate"), body.error.message]).toEqual([503, null, "The database cannot be reached."]);
  expect((await post(key, "tools/list")).status).toBe(200);
});

describe("T37: a page in somebody's browser cannot call it", () => {
  const statusWith = (headers: Readonly<Record<string, string>>, key: string) =>
    new Promise<number>((resolve, reject) => {
      const { port } = new URL(server.url);
      const sent = {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${key}`,
        ...headers,
      };
      const request = httpRequest({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: sent }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on("error", reject).end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }));
    });

  test.each([
    ["whose name was made to lead here", { Host: "evil.example" }],
    ["of another site", { Origin: "https://evil.example" }],
    ["without an origin of its own", { Origin: "null" }],
  ])("%s", async (_, headers) => expect(await statusWith(headers, await keyFor())).toBe(403));

  test("its twins: a program, and a page of its own", async () => {
    expect(await statusWith({}, await keyFor())).toBe(200);
    expect(await statusWith({ Origin: server.url }, await keyFor())).toBe(200);
  });
});
