// What a call of an external tool costs above the protocol's own client, over pipes and over HTTP: medians of calls in turns. Prints JSON.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { systemClock } from "../dist/src/core/clock.js";
import { silentLogger } from "../dist/src/core/logger.js";
import { McpTools } from "../dist/src/plugins/mcp/mcp-tools.js";
import { createSafeFetch } from "../dist/src/safe-fetch/safe-fetch.js";

const CALLS = 300;
const WARM = 30;
/** Milliseconds above the bare client that are allowed. */
const goals = { stdio: 3, http: 5 };
const program = fileURLToPath(new URL("../test/fakes/mcp-program.mjs", import.meta.url));

function server() {
  const made = new McpServer({ name: "bench", version: "1" });
  const inputSchema = fromJsonSchema({ type: "object", properties: { value: { type: "string" } } });
  made.registerTool("echo", { description: "Echoes.", inputSchema }, async ({ value }) => ({ content: [{ type: "text", text: value }] }));
  return made;
}

async function listening() {
  const handler = createMcpHandler(server);
  const http = createServer(async (request, response) => {
    const body = request.method === "POST" ? { body: await buffer(request) } : {};
    const url = `http://127.0.0.1:${http.address().port}${request.url}`;
    const answer = await handler.fetch(new Request(url, { method: request.method, headers: request.headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) await pipeline(Readable.fromWeb(answer.body), response);
    else response.end();
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return http;
}

/** Our own tool, approved as it is first seen. */
async function ours(transport) {
  const approved = [];
  const standard = { name: "bench", title: "Bench", workspaces: undefined, silenceMs: 60_000, totalMs: 60_000, effects: {} };
  const tools = new McpTools({
    servers: [{ ...standard, transport }],
    toolsOf: () => ({
      offered: async (server, offered) => {
        approved.push(...offered.map((tool) => ({ ...tool, server })));
        return [];
      },
      approved: async () => approved,
    }),
    workspaceName: async () => "bench",
    newFetch: (url) => createSafeFetch({ clock: systemClock, internalOrigins: [new URL(url).origin] }),
    clock: systemClock,
    log: silentLogger,
  });
  await tools.look("t");
  const tool = (await tools.tools("t")).find(({ name }) => name === "bench__echo");
  const context = { signal: new AbortController().signal, progress: () => undefined };
  return { call: () => tool.execute({ value: "x" }, context), close: () => tools.close() };
}

async function bare(transport) {
  const client = new Client({ name: "bare", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return { call: () => client.callTool({ name: "echo", arguments: { value: "x" } }), close: () => client.close() };
}

const timed = async (call) => {
  const began = performance.now();
  await call();
  return performance.now() - began;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (ms) => Math.round(ms * 100) / 100;

async function compare(kind, mine, theirs) {
  const times = { ours: [], bare: [] };
  for (let at = 0; at < CALLS + WARM; at++) {
    const [one, two] = [await timed(mine.call), await timed(theirs.call)];
    if (at < WARM) continue;
    times.ours.push(one);
    times.bare.push(two);
  }
  await Promise.all([mine.close(), theirs.close()]);
  const [us, floor] = [median(times.ours), median(times.bare)];
  return { kind, ours: rounded(us), bare: rounded(floor), above: rounded(us - floor), goal: goals[kind], met: us - floor <= goals[kind] };
}

const http = await listening();
const url = `http://127.0.0.1:${http.address().port}/mcp`;
const pipes = { kind: "stdio", command: process.execPath, args: [program], env: {}, sandbox: undefined };
const results = [
  await compare(
    "stdio",
    await ours(pipes),
    await bare(new StdioClientTransport({ command: process.execPath, args: [program], stderr: "ignore" })),
  ),
  await compare("http", await ours({ kind: "http", url, headers: {} }), await bare(new StreamableHTTPClientTransport(new URL(url)))),
];
http.closeAllConnections();
http.close();
process.stdout.write(`${JSON.stringify({ unit: "ms, median", calls: CALLS, results }, null, 2)}\n`);
process.exit(0);
