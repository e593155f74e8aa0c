import { createMcpHandler, fromJsonSchema, McpServer as Server } from "@modelcontextprotocol/server";
import { type TenantId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { McpTools } from "../../../src/plugins/mcp/mcp-tools.ts";
import type { McpServer } from "../../../src/plugins/mcp/server.ts";
import type { SafeFetch } from "../../../src/safe-fetch/port.ts";
import { acme, contextFor, globex } from "../../fakes/tool-context.ts";
import { TrustingTools } from "../../fakes/trusting-tools.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { programServer } from "./fixture.ts";

const remote = (headers: Readonly<Record<string, string>> = {}, more: Partial<McpServer> = {}): McpServer => ({
  ...programServer(),
  name: "remote",
  title: "Remote",
  transport: {
    kind: "http",
    url: "https://mcp.example/api",
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, new Secret(value)])),
  },
  ...more,
});

/** A server that says who is calling, and whose descriptions a test may change. */
function whoami() {
  const seen: { authorization: string | null; connection: number }[] = [];
  let description = "Says who you are.";
  let connections = 0;
  const newFetch = (): SafeFetch => {
    const connection = ++connections;
    return async (url, init = {}) => {
      const request = new Request(url, init as RequestInit);
      const authorization = request.headers.get("authorization");
      seen.push({ authorization, connection });
      if (authorization === null) return new Response("Unauthorized", { status: 401 });
      const made = new Server({ name: "remote", version: "1" });
      const schema = fromJsonSchema<object>({ type: "object", properties: {} });
      made.registerTool("whoami", { description, inputSchema: schema }, async () => ({ content: [{ type: "text", text: authorization }] }));
      return createMcpHandler(() => made).fetch(request);
    };
  };
  return {
    seen,
    newFetch,
    change: (said: string) => {
      description = said;
    },
  };
}

const opened: McpTools[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tools) => tools.close()));
});

function mcp(servers: readonly McpServer[], newFetch: (url: string) => SafeFetch, names: Readonly<Record<string, string>> = {}) {
  const stores = new Map<TenantId, TrustingTools>();
  const storeOf = (tenant: TenantId) => {
    const store = stores.get(tenant) ?? new TrustingTools();
    stores.set(tenant, store);
    return store;
  };
  const clock = new ManualClock();
  const tools = new McpTools({ servers, toolsOf: storeOf, workspaceName: async (id) => names[id], newFetch, clock, log: silentLogger });
  opened.push(tools);
  const run = async (tenant: TenantId, name: string) => {
    const tool = (await tools.tools(tenant)).find((each) => each.name === name);
    return tool?.execute({}, { ...contextFor([]), tenant, clock });
  };
  return { tools, run, storeOf, clock };
}

describe("whose connection it is", () => {
  test("a connection that nobody has used for ten minutes is forgotten, and the next call makes another one; one in use stays", async () => {
    const server = whoami();
    const { tools, run, clock } = mcp([remote({ Authorization: "Bearer key" })], server.newFetch);
    await tools.look(acme);
    clock.advance(300_000);
    await run(acme, "remote__whoami");
    clock.advance(300_000);
    await new Promise(setImmediate);
    expect((await run(acme, "remote__whoami"))?.status).toBe("success");
    expect(server.seen.at(-1)?.connection).toBe(1);
    clock.advance(600_000);
    clock.advance(600_000);
    await new Promise(setImmediate);
    expect((await run(acme, "remote__whoami"))?.status).toBe("success");
    expect(server.seen.at(-1)?.connection).toBe(2);
  });

  test("H5-MCP-04, T08: two workspaces with the same address and other keys each see their own identity, on connections of their own", async () => {
    const server = whoami();
    const servers = [
      remote({ Authorization: "Bearer acme-key" }, { name: "first", workspaces: ["acme"] }),
      remote({ Authorization: "Bearer globex-key" }, { name: "second", workspaces: ["globex"] }),
    ];
    const { tools, run } = mcp(servers, server.newFetch, { [acme]: "acme", [globex]: "globex" });
    await Promise.all([tools.look(acme), tools.look(globex)]);
    for (let at = 0; at < 20; at++) {
      const [ours, theirs] = await Promise.all([run(acme, "first__whoami"), run(globex, "second__whoami")]);
      expect(ours?.content).toBe("Bearer acme-key");
      expect(theirs?.content).toBe("Bearer globex-key");
    }
    const connectionsOf = (key: string) =>
      new Set(server.seen.filter(({ authorization }) => authorization === key).map(({ connection }) => connection));
    expect([...connectionsOf("Bearer acme-key")]).toHaveLength(1);
    expect([...connectionsOf("Bearer globex-key")]).toHaveLength(1);
    expect(connectionsOf("Bearer acme-key")).not.toEqual(connectionsOf("Bearer globex-key"));
  });

  test("H5-MCP-04: a server that two workspaces share has a connection and a tool list for each", async () => {
    const server = whoami();
    const { tools, storeOf } = mcp([remote({ Authorization: "Bearer shared" })], server.newFetch);
    await tools.look(acme);
    expect(storeOf(globex).lists).toEqual([]);
    expect(await tools.tools(globex)).toEqual([]);
    await tools.look(globex);
    expect(new Set(server.seen.map(({ connection }) => connection)).size).toBe(2);
  });

  test("H5-MCP-04: without a key there is a refusal, never somebody else's", async () => {
    const server = whoami();
    const { tools, run } = mcp([remote({}, { name: "keyless" }), remote({ Authorization: "Bearer acme-key" })], server.newFetch);
    const looked = await tools.look(acme);
    expect(looked.get("keyless")).toMatchObject({ code: "MCP_UNREACHABLE" });
    expect(await run(acme, "keyless__whoami")).toBeUndefined();
    expect((await run(acme, "remote__whoami"))?.content).toBe("Bearer acme-key");
  });

  test("a server that is not a workspace's is not there for it", async () => {
    const server = whoami();
    const { tools } = mcp([remote({ Authorization: "k" }, { workspaces: ["acme"] })], server.newFetch, {
      [acme]: "acme",
      [globex]: "globex",
    });
    await tools.look(acme);
    expect((await tools.tools(acme)).map(({ name }) => name)).toEqual(["remote__whoami"]);
    expect([...(await tools.look(globex)).keys()]).toEqual([]);
    expect(await tools.tools(globex)).toEqual([]);
  });

  test("T43: the operator's headers go to the server's own origin alone", async () => {
    const { serverFetch } = await import("../../../src/plugins/mcp/server-fetch.ts");
    const sent: [string, string | null][] = [];
    const safe: SafeFetch = async (url, init = {}) => {
      sent.push([String(url), new Headers(init.headers).get("authorization")]);
      return new Response();
    };
    const transport = remote({ Authorization: "Bearer secret" }).transport;
    if (transport.kind !== "http") throw new Error("not remote");
    const fetch = serverFetch(transport, safe);
    await fetch("https://mcp.example/api");
    await fetch("https://evil.example/token");
    expect(sent).toEqual([
      ["https://mcp.example/api", "Bearer secret"],
      ["https://evil.example/token", null],
    ]);
  });
});

describe("T26: a tool that changes after it was approved", () => {
  const setup = async () => {
    const server = whoami();
    const made = mcp([remote({ Authorization: "k" })], server.newFetch);
    await made.tools.look(acme);
    return { server, ...made };
  };

  test("one letter is enough: the next call is refused, and the change waits for an admin", async () => {
    const { server, run, storeOf, clock } = await setup();
    expect((await run(acme, "remote__whoami"))?.status).toBe("success");
    server.change("Says who you are!");
    clock.advance(300_000);
    expect(await run(acme, "remote__whoami")).toMatchObject({ status: "denied", error: { code: "TOOL_CHANGED" } });
    expect(storeOf(acme).waiting).toEqual(["remote__whoami"]);
  });

  test("its twin: unchanged, it goes on", async () => {
    const { run, clock } = await setup();
    clock.advance(300_000);
    expect((await run(acme, "remote__whoami"))?.status).toBe("success");
  });
});

describe("what a tool may do", () => {
  const effectFor = async (more: Partial<McpServer>) => {
    const server = whoami();
    const { tools } = mcp([remote({ Authorization: "k" }, more)], server.newFetch);
    await tools.look(acme);
    return (await tools.tools(acme))[0]?.effect;
  };

  test("is nothing the server can say: without a word of the operator or an admin it is unknown", async () => {
    expect(await effectFor({})).toBe("unknown");
  });

  test("is what the operator says, for one tool or for all", async () => {
    expect(await effectFor({ effects: { whoami: "read-inside" } })).toBe("read-inside");
    expect(await effectFor({ effects: { "*": "side-effect" } })).toBe("side-effect");
    expect(await effectFor({ effects: { "*": "side-effect", whoami: "read-outside" } })).toBe("read-outside");
  });
});

test("a server that cannot be reached is an error of its own call, with a reason", async () => {
  const { tools, run, storeOf } = mcp(
    [remote({ Authorization: "k" })],
    () => () => Promise.reject(new Error("ENOTFOUND mcp.internal:8080 secret")),
  );
  await tools.look(acme);
  storeOf(acme).approvals.set("remote__whoami", {
    ...{ server: "remote", tool: "whoami", name: "remote__whoami", fingerprint: "f" },
    definition: { name: "whoami", description: "", inputSchema: {} },
  });
  const result = await run(acme, "remote__whoami");
  expect(result).toMatchObject({ status: "error", error: { code: "UNREACHABLE", retryable: true } });
  expect(result?.content).not.toContain("secret");
});

test("T59: when a workspace leaves, its programs end at once; another workspace's go on", async () => {
  const { tools, clock } = mcp([programServer()], () => () => Promise.reject(new Error("no network")));
  await Promise.all([tools.look(acme), tools.look(globex)]);
  const pidOf = async (tenant: TenantId) => {
    const look = (await tools.tools(tenant)).find(({ name }) => name === "fixture__look");
    const seen = await look?.execute({ value: "/proc/self/stat" }, { ...contextFor([]), tenant, clock });
    return Number(/\/proc\/self\/stat":"(\d+) /.exec(seen?.content ?? "")?.[1]);
  };
  const [ours, theirs] = [await pidOf(acme), await pidOf(globex)];
  await tools.forget(acme);
  expect(() => process.kill(ours, 0)).toThrow();
  expect(await pidOf(globex)).toBe(theirs);
});

test("after the end nothing is connected any more", async () => {
  const server = whoami();
  const { tools } = mcp([remote({ Authorization: "k" })], server.newFetch);
  await tools.close();
  const count = server.seen.length;
  await expect(tools.look(tenantId("t"))).rejects.toMatchObject({ code: "MCP_UNREACHABLE" });
  expect(server.seen.length).toBe(count);
});
