import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createMcpHandler, fromJsonSchema, McpServer as Server } from "@modelcontextprotocol/server";
import { newId, type PersonId, personId, type TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { McpTools } from "../../../src/plugins/mcp/mcp-tools.ts";
import type { McpServer } from "../../../src/plugins/mcp/server.ts";
import type { WorkspaceServer } from "../../../src/plugins/workspace-servers.ts";
import { MemoryLogins } from "../../fakes/memory-logins.ts";
import { OutsideWorld } from "../../fakes/outside-world.ts";
import { acme, contextFor, globex } from "../../fakes/tool-context.ts";
import { TrustingTools } from "../../fakes/trusting-tools.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { programServer } from "./fixture.ts";

const server = (more: Partial<WorkspaceServer> = {}): WorkspaceServer => ({
  ...{ name: "own", title: "Own", url: "https://mcp.example/api", access: { kind: "open" }, revision: newId() },
  ...more,
});
const withKey = (key: string): Partial<WorkspaceServer> => ({ access: { kind: "header", header: "X-Key", secret: new Secret(key) } });

let world: OutsideWorld;
/** Calls of the tool `wait` that are under way. */
let waiting: (() => void)[];
/** How many tools the server offers beside `whoami` and `wait`. */
let others: number;
beforeEach(async () => {
  world = await OutsideWorld.start();
  waiting = [];
  others = 0;
  world.handle = (_request, response, visit) => void answer(response, visit);
});
const open: McpTools[] = [];
afterEach(async () => {
  for (const done of waiting) done();
  await Promise.all(open.splice(0).map((tools) => tools.close()));
  await world.stop();
});

/** A server that says with which key it is called. */
async function answer(response: ServerResponse, { url, headers, body, method }: OutsideWorld["visits"][number]): Promise<void> {
  const made = new Server({ name: "own", version: "1" });
  const inputSchema = fromJsonSchema<object>({ type: "object", properties: {} });
  const says = (text: string) => ({ content: [{ type: "text" as const, text }] });
  made.registerTool("whoami", { description: "Says who you are.", inputSchema }, async () => says(String(headers["x-key"] ?? "nobody")));
  made.registerTool("wait", { description: "Waits.", inputSchema }, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return says("waited");
  });
  for (let at = 0; at < others; at++) made.registerTool(`tool-${at}`, { description: "Does.", inputSchema }, async () => says(""));
  const given = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-length")) as Record<string, string>;
  const request = new Request(url, { method, headers: given, ...(method === "POST" && { body }) });
  const result = await createMcpHandler(() => made).fetch(request);
  response.writeHead(result.status, Object.fromEntries(result.headers));
  for await (const chunk of result.body ?? []) response.write(chunk);
  response.end();
}

/** Two processes over the same stored servers. */
function processes(stored: Map<TenantId, WorkspaceServer[]>, operators: readonly McpServer[] = []) {
  const decided = new Map<TenantId, TrustingTools>();
  const toolsOf = (tenant: TenantId) => decided.get(tenant) ?? decided.set(tenant, new TrustingTools()).get(tenant) ?? new TrustingTools();
  const make = () => {
    const clock = new ManualClock();
    const tools = new McpTools({
      ...{ servers: operators, workspaceName: async () => "acme", newFetch: () => world.fetch, clock, log: silentLogger },
      ...{ toolsOf, ownServers: (tenant) => ({ list: async () => stored.get(tenant) ?? [] }) },
      logins: { of: () => new MemoryLogins(), redirect: () => ({ redirectUrl: "https://footnote.test/return" }) },
    });
    open.push(tools);
    const find = async (name: string, tenant = acme) => (await tools.tools(tenant)).find((tool) => tool.name === name);
    const call = async (name: string, tenant = acme) => (await find(name, tenant))?.execute({}, { ...contextFor([]), tenant, clock });
    return { tools, find, call, clock };
  };
  return { one: make(), other: make(), toolsOf };
}
const alice: PersonId = personId("U_ALICE");

test("a server that admins have added is called with its own secret; another workspace does not have it, and a program named in it is none", async () => {
  const forged = { ...server(withKey("key-of-acme")), command: "/bin/sh", transport: "stdio" };
  const { one } = processes(new Map([[acme, [forged]]]));
  await one.tools.look(acme);
  expect((await one.call("own__whoami"))?.content).toBe("key-of-acme");
  expect((await one.tools.serversOf(acme)).map(({ transport }) => transport.kind)).toEqual(["http"]);
  expect([await one.tools.serversOf(globex), await one.find("own__whoami", globex)]).toEqual([[], undefined]);
});

test("a change is effective at the next call in every process, and a call that waited for a click meanwhile is not made with the old one", async () => {
  const stored = new Map([[acme, [server(withKey("old-key"))]]]);
  const { one, other } = processes(stored);
  await one.tools.look(acme);
  const held = await other.find("own__whoami");
  expect((await other.call("own__whoami"))?.content).toBe("old-key");
  stored.set(acme, [server(withKey("new-key"))]);
  world.visits.length = 0;
  const refused = await held?.execute({}, { ...contextFor([]), tenant: acme, clock: other.clock });
  expect([refused?.status, JSON.stringify(refused)]).toEqual(["error", expect.stringContaining("There is no such external server")]);
  expect(world.visits).toEqual([]);
  expect((await other.call("own__whoami"))?.content).toBe("new-key");
  stored.set(acme, []);
  expect([await one.find("own__whoami"), await other.find("own__whoami")]).toEqual([undefined, undefined]);
  expect(JSON.stringify(world.visits)).not.toContain("old-key");
});

test("that a workspace has none is believed for five seconds; where one is added it is known at once", async () => {
  const stored = new Map<TenantId, WorkspaceServer[]>();
  const { one, other } = processes(stored);
  expect([await one.find("own__whoami"), await other.find("own__whoami")]).toEqual([undefined, undefined]);
  stored.set(acme, [server()]);
  await one.tools.look(acme);
  expect(await one.find("own__whoami")).toBeDefined();
  expect(await other.find("own__whoami")).toBeUndefined();
  other.clock.advance(5_000);
  expect(await other.find("own__whoami")).toBeDefined();
});

test("a removal ends calls that are under way in another process", async () => {
  const stored = new Map([[acme, [server()]]]);
  const { other } = processes(stored);
  await other.tools.look(acme);
  const calling = other.call("own__wait");
  while (waiting.length === 0) await new Promise(setImmediate);
  stored.set(acme, []);
  const ended = calling.then((result) => result?.status);
  // The other process looks every few seconds.
  let status: string | undefined;
  void ended.then((is) => {
    status = is;
  });
  while (status === undefined) {
    other.clock.advance(5_000);
    await new Promise(setImmediate);
  }
  expect(status).toBe("error");
});

test("T40, T41: an address of theirs never leads inside, and nobody learns whether a host is there: one text for refused and not reached", async () => {
  world.names.set("inside.example", [["10.0.0.7"]]);
  world.names.set("mixed.example", [["93.184.216.34", "169.254.169.254"]]);
  world.names.set("nowhere.example", [[]]);
  world.names.set("closed.example", [["93.184.216.99"]]);
  world.unreachable.add("93.184.216.99");
  const hosts = ["inside", "mixed", "nowhere", "closed"];
  const own = hosts.map((name) => server({ name, title: name, url: `https://${name}.example/mcp` }));
  const literal = ["http://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/", "https://0x7f.1/", "https://[64:ff9b::a9fe:a9fe]/"];
  own.push(...literal.map((url, at) => server({ name: `literal-${at}`, title: `${at}`, url })));
  const { one } = processes(new Map([[acme, own]]));
  const looked = await one.tools.look(acme);
  expect(new Set([...looked.values()].map((found) => ("message" in found ? found.message : "connected")))).toEqual(
    new Set(["The external server cannot be reached."]),
  );
  expect(looked.size).toBe(own.length);
  expect(new Set(world.connections)).toEqual(new Set(["93.184.216.99:443 closed.example"]));
});

test("T42, T43: neither a redirect nor a server's word about its log-in leads elsewhere: a secret stays at its origin, and only the named issuer is asked", async () => {
  world.handle = (request, response) =>
    void (request.headers.host === "mcp.example"
      ? response.writeHead(307, { location: "https://evil.example/mcp" }).end()
      : response.writeHead(200).end());
  const { one } = processes(new Map([[acme, [server(withKey("canary"))]]]));
  await one.tools.look(acme);
  expect(world.visits.every(({ url }) => url.startsWith("http://mcp.example/"))).toBe(true);
  expect(world.visits.some(({ headers }) => headers["x-key"] === "canary")).toBe(true);

  const metadata = { resource: "https://mcp.example/api", authorization_servers: ["https://evil.example"] };
  world.handle = (request, response) => {
    if (request.url?.includes("oauth-protected-resource"))
      response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
    else if (request.url?.includes("oauth-authorization-server"))
      response.setHeader("content-type", "application/json").end(
        JSON.stringify({
          ...{
            issuer: "https://evil.example",
            authorization_endpoint: "https://evil.example/a",
            token_endpoint: "https://evil.example/token",
          },
          ...{ registration_endpoint: "https://evil.example/register", response_types_supported: ["code"] },
        }),
      );
    else
      response
        .writeHead(401, { "www-authenticate": 'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource"' })
        .end();
  };
  const pinned = server({ name: "pinned", access: { kind: "login", issuer: "https://auth.example", scopes: [] } });
  const { one: two } = processes(new Map([[acme, [pinned]]]));
  const login = await two.tools.loginAt(acme, "pinned", alice);
  await expect(login?.begin("state")).rejects.toMatchObject({ code: "MCP_ISSUER_CHANGED" });
  expect(world.visits.filter(({ method, url }) => method === "POST" && url.includes("evil.example"))).toEqual([]);
});

test("the operator's server of a name counts, also when its name is written otherwise: nobody's tools pass for the operator's", async () => {
  const listed = { ...programServer(), name: "our-tracker-" };
  const { one } = processes(new Map([[acme, [server({ name: "our-tracker" }), server({ name: "ours" })]]]), [listed]);
  expect((await one.tools.serversOf(acme)).map(({ name }) => name)).toEqual(["our-tracker-", "ours"]);
});

test("of such a server two hundred tools count, of one on the operator's list all", async () => {
  others = 250;
  const { one, toolsOf } = processes(new Map([[acme, [server()]]]));
  await one.tools.look(acme);
  expect(toolsOf(acme).lists.at(-1)).toHaveLength(200);
});

test("a server that never answers holds up nobody else's workspace", async () => {
  // Here no connection is given up, however slow the machine is.
  await world.stop();
  world = await OutsideWorld.start({ clock: new ManualClock() });
  world.handle = (_request, response, visit) => void answer(response, visit);
  world.names.set("dead.example", [["93.184.216.77"]]);
  world.silent.add("93.184.216.77");
  const stored = new Map([
    [acme, Array.from({ length: 10 }, (_, at) => server({ name: `dead-${at}`, url: "https://dead.example/mcp" }))],
    [globex, [server(withKey("key-of-globex"))]],
  ]);
  const { one } = processes(stored);
  let heldUp = true;
  const stuck = one.tools.look(acme).finally(() => {
    heldUp = false;
  });
  await one.tools.look(globex);
  expect([(await one.call("own__whoami", globex))?.content, heldUp]).toEqual(["key-of-globex", true]);
  await one.tools.close();
  await stuck;
});
