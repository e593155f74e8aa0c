import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { listenForWebSearch } from "../../src/app/web-search-server.ts";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { openSession } from "../../src/plugins/mcp/client-session.ts";
import { McpTools } from "../../src/plugins/mcp/mcp-tools.ts";
import type { McpServer } from "../../src/plugins/mcp/server.ts";
import { serverFetch } from "../../src/plugins/mcp/server-fetch.ts";
import { createSafeFetch } from "../../src/safe-fetch/safe-fetch.ts";
import { agent, alice } from "../agent/setup.ts";
import { OutsideWorld } from "../fakes/outside-world.ts";
import { call, calls, ScriptedModel, says } from "../fakes/scripted-model.ts";
import { acme } from "../fakes/tool-context.ts";
import { TrustingTools } from "../fakes/trusting-tools.ts";
import { searchServices } from "../plugins/web/recorded.ts";

const { signal } = new AbortController();
let world: OutsideWorld;
let server: Awaited<ReturnType<typeof listenForWebSearch>>;
const parts = (settings: Readonly<Record<string, string>>) => ({
  config: {
    plugins: {
      packages: [],
      settings: new Map(Object.entries(settings).map(([name, value]) => [name, new Secret(value)])),
      byWorkspace: new Map(),
    },
    internalOrigins: [],
  },
  clock: systemClock,
  log: silentLogger,
  safeFetch: world.fetch,
});
beforeAll(async () => {
  world = await OutsideWorld.start();
  searchServices(world);
  server = await listenForWebSearch(parts({ WEB_BRAVE_KEY: "brave-canary" }), { port: 0, key: new Secret("the-key") });
});
afterAll(async () => {
  await server.close();
  await world.stop();
});

const remote = (): McpServer => ({
  ...{ name: "web", title: "Web", workspaces: undefined, silenceMs: 60_000, totalMs: 60_000, effects: { "*": "read-outside" } },
  transport: { kind: "http", url: server.url, headers: { Authorization: new Secret("Bearer the-key") } },
});
const newFetch = () => createSafeFetch({ clock: systemClock, internalOrigins: [new URL(server.url).origin] });

const post = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(server.url, {
    method: "POST",
    headers: {
      Authorization: "Bearer the-key",
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body,
  });
  const text = await response.text();
  const json = text.startsWith("event:") || text.startsWith("data:") ? (/^data: (.*)$/m.exec(text)?.[1] ?? "") : text;
  return { status: response.status, body: JSON.parse(json) };
};
const request = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });

describe("programs that speak MCP search the web", () => {
  test("and get the results one by one, then all of them as sources that can be cited", async () => {
    const transport = remote().transport;
    if (transport.kind !== "http") throw new Error("not http");
    const session = await openSession({
      ...{ server: remote(), fetch: serverFetch(transport, newFetch()), clock: systemClock, log: silentLogger, signal },
      listChanged: () => undefined,
    });
    expect(await session.list(signal)).toMatchObject([
      { name: "web_search", title: "Search the web", annotations: { readOnlyHint: true } },
    ]);
    const news: unknown[] = [];
    const result = await session.call(
      { name: "web_search", description: "", inputSchema: {} },
      { query: "node release" },
      { signal, totalMs: 60_000, onProgress: (said) => news.push(said) },
    );
    expect(news).toEqual([
      { progress: 1, total: 2, message: "Node.js 26 is here (https://nodejs.example/blog/26)" },
      { progress: 2, total: 2, message: "Releases (https://nodejs.example/releases)" },
    ]);
    expect(result.content).toMatchObject([
      { type: "text", text: expect.stringContaining("2 results from Brave Search") },
      { type: "resource", resource: { uri: "https://nodejs.example/blog/26", text: expect.stringContaining("a faster start") } },
      { type: "resource", resource: { uri: "https://nodejs.example/releases" } },
    ]);
    await session.close();
  });

  test("a bot that has it among its servers answers what is asked for the latest through it, with the page as its source", async () => {
    const trusting = new TrustingTools();
    const mcp = new McpTools({
      servers: [remote()],
      ...{ toolsOf: () => trusting, workspaceName: async () => "acme", newFetch, clock: systemClock, log: silentLogger },
    });
    await mcp.look(acme);
    const model = new ScriptedModel(calls(call("web__search", { query: "node release" })), says("It is version 26 [1]."));
    const names = ["web__search"];
    const none = new Set<string>();
    const asked = agent({
      model,
      ports: {
        external: { tools: () => mcp.tools(acme) },
        choices: {
          read: async () => ({
            ...{ flags: none, settings: {}, allowed: new Set(names), leastRole: new Map(), template: new Set(names) },
            switchedOff: { admin: none, channel: none, thread: none, person: none },
          }),
        },
      },
    });
    const answer = await asked.ask({ text: "What is the latest version of Node.js?", person: alice.id });
    expect(answer).toMatchObject({
      status: "answered",
      text: "It is version 26 [1].",
      citations: [
        { n: 1, url: "https://nodejs.example/blog/26", source: { title: "Node.js 26 is here", timestamp: "2026-11-28T12:00:00.000Z" } },
      ],
    });
    await mcp.close();
  });
});

describe("what is no proper call gets the error that JSON-RPC has for it", () => {
  test.each([
    ["no JSON", "{", -32_700],
    ["no request", '{"jsonrpc":"1.0","id":7}', -32_600],
    ["an unknown method", request("tools/fly"), -32_601],
    ["an unknown tool", request("tools/call", { name: "read_web_page", arguments: {} }), -32_602],
    ["arguments that do not fit", request("tools/call", { name: "web_search", arguments: { query: 7 } }), -32_602],
    ["no arguments", request("tools/call", { name: "web_search" }), -32_602],
    ["parameters of another form", request("tools/call", { name: ["web_search"] }), -32_602],
  ])("%s", async (_, body, code) =>
    expect((await post(body)).body).toMatchObject({ jsonrpc: "2.0", error: { code, message: expect.any(String) } }),
  );

  test("a search that the service refuses is a result, so that the model can say so", async () => {
    const before = world.handle;
    world.handle = (_request, response) => void response.writeHead(401).end();
    const { body } = await post(request("tools/call", { name: "web_search", arguments: { query: "refused" } })).finally(() => {
      world.handle = before;
    });
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("does not accept the key") }],
    });
    expect(JSON.stringify(body)).not.toContain("brave-canary");
  });
});

describe("nobody else gets in", () => {
  test.each([
    ["without the key", { Authorization: "" }, 401],
    ["with another key", { Authorization: "Bearer the-kez" }, 401],
    ["from a page of another site", { Origin: "https://evil.example" }, 403],
    ["from a page without a name", { Origin: "null" }, 403],
  ])("%s", async (_, headers, status) => expect((await post(request("tools/list"), headers)).status).toBe(status));

  test("its twin: with the key, from its own origin", async () =>
    expect((await post(request("tools/list"), { Origin: new URL(server.url).origin })).status).toBe(200));
});

test("without a search service it does not start, and says what is missing", async () => {
  await expect(listenForWebSearch(parts({}), { port: 0 })).rejects.toThrow(AppError);
});
