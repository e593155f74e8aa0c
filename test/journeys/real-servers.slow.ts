import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { findSandbox } from "../../src/plugins/mcp/stdio/sandbox.ts";
import { functionMistakes } from "../fakes/function-schema.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

const modules = resolve("node_modules");
const entry = (name: string) => join(modules, `@modelcontextprotocol/server-${name}/dist/index.js`);

let model: ModelServer;
let running: RunningApp;
let elsewhere: readonly ChildProcess[] = [];
/** Where the server over HTTP is. */
let origin = "";

/** Debian's browser; another one by the environment. */
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** What the browser is sent to look at. */
const page = createHttpServer((_request, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end("<!doctype html><title>Departures</title><h1>Departures</h1><button>Ferry to Lisbon, 18:40</button>");
});
const pageUrl = () => `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;

/** A port that was free a moment ago: this server takes no 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "real-servers-"));
  await writeFile(join(folder, "plan.txt"), "The launch is on Thursday.");
  await new Promise<void>((done) => page.listen(0, "127.0.0.1", done));
  const [port, olderPort] = [await freePort(), await freePort()];
  const listens = (transport: string, at: number) =>
    spawn(process.execPath, [entry("everything"), transport], { env: { PORT: String(at), PATH: process.env.PATH }, stdio: "ignore" });
  elsewhere = [listens("streamableHttp", port), listens("sse", olderPort)];
  // In the sandbox wherever there is one.
  const sandbox = findSandbox() ? { read: [modules, folder], write: [folder] } : "none";
  const node = { command: process.execPath, sandbox };
  const servers = {
    everything: { ...node, args: [entry("everything"), "stdio"] },
    remote: { url: `http://127.0.0.1:${port}/mcp` },
    older: { url: `http://127.0.0.1:${olderPort}/sse` },
    filesystem: { ...node, args: [entry("filesystem"), folder] },
    memory: { ...node, args: [entry("memory")], env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } },
    ...(existsSync(chromium) && {
      browser: {
        command: process.execPath,
        args: [join(modules, "@playwright/mcp/cli.js"), "--executable-path", chromium, "--headless", "--isolated", "--no-sandbox"],
        // As docs/mcp.md has it: more processes and memory than a program is given unless said, and the network, to reach pages.
        sandbox: findSandbox()
          ? { network: true, read: [modules, "/etc/fonts", "/etc/chromium.d"], memory_mib: 2_048, processes: 512 }
          : "none",
        silence_seconds: 120,
      },
    }),
  };
  const all = Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, { ...server, effects: { "*": "read-inside" } }]));
  const file = join(folder, "servers.yml");
  await writeFile(file, JSON.stringify({ servers: all }));
  origin = `http://127.0.0.1:${port}`;
  model = await ModelServer.start((_request, reply) => reply.say("Hello."));
  running = await runApp({
    modelUrl: model.url,
    documents: false,
    environment: { FOOTNOTE_MCP_FILE: file, FOOTNOTE_WORKSPACE_MCP_ORIGINS: origin },
  });
  const { operations } = running.app;
  for (;;) {
    const { servers: looked, tools } = await operations.externalTools("acme");
    const down = looked.filter(({ problem }) => problem !== null);
    if (down.length === 0) {
      const shown = Object.fromEntries(tools.map(({ name, fingerprint }) => [name, fingerprint]));
      await operations.decideExternal({ workspace: "acme", tools: shown, approve: true });
      return;
    }
    await systemClock.sleep(500);
  }
}, 900_000);
afterAll(async () => {
  await running?.stop();
  await model?.stop();
  for (const server of elsewhere) server.kill("SIGKILL");
  page.close();
});

/** The model finds the tool, calls it, and answers with what it gave. */
async function answerWith(name: string, params: object): Promise<string> {
  model.script = ({ messages, tools = [] }, reply) => {
    expect(tools.flatMap(functionMistakes)).toEqual([]);
    const last = messages.at(-1);
    if (tools.some((tool) => tool.function.name === name)) {
      if (last?.role === "tool" && !String(last.content).startsWith("These tools")) return reply.say(`It says: ${last.content}`);
      return reply.call(name, params);
    }
    reply.call("find_tools", { query: name.replaceAll("_", " ") });
  };
  const asking = { workspace: "acme", as: "alice", channel: "general", question: "Please look." };
  return (await ask(running.slack, asking, { timeoutMs: 150_000 })).text;
}

describe("servers from npm give data through an answer", () => {
  test.each([
    ["everything, over its pipes", "everything__echo", { message: "from the pipes" }, "from the pipes"],
    ["everything, over HTTP", "remote__echo", { message: "from afar" }, "from afar"],
    ["everything, over the older HTTP with server-sent events", "older__echo", { message: "from of old" }, "from of old"],
    ["filesystem", "filesystem__read_text_file", { path: "plan.txt" }, "The launch is on Thursday."],
    ["memory", "memory__create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["likes tea"] }] }, "likes tea"],
    ["memory, again", "memory__read_graph", {}, "Ada"],
  ])(
    "%s",
    async (_server, name, params, said) => {
      expect(await answerWith(name, params)).toContain(said);
    },
    600_000,
  );
});

if (existsSync(chromium))
  test("playwright-mcp reads a page in a browser, and the answer says what stands there", async () => {
    expect(await answerWith("browser__navigate", { url: pageUrl() })).toContain("Departures");
    expect(await answerWith("browser__snapshot", {})).toContain("Ferry to Lisbon, 18:40");
  }, 600_000);
else
  test(`playwright-mcp needs a browser, and there is none at ${chromium}: install Debian's chromium`, () =>
    expect(existsSync(chromium)).toBe(false));

test("with more than twenty tools the model is given a tool that finds tools, and then those that it found", async () => {
  await answerWith("everything__echo", { message: "x" });
  const offered = model.requests.slice(-3).map(({ tools = [] }) => tools.map((tool) => tool.function.name));
  expect(offered[0]).toContain("find_tools");
  expect(offered[0]?.filter((name) => name.includes("__"))).toEqual([]);
  expect(offered[1]).toContain("everything__echo");
  expect(offered[1]?.filter((name) => name.includes("__")).length).toBeLessThanOrEqual(8);
}, 600_000);

test("a server that an admin adds in Slack is used in an answer once its tool is approved, and not after it was removed", async () => {
  const { slack, app } = running;
  const place = { workspace: "acme", channel: "general", as: "alice" };
  await slack.command({ ...place, command: "/footnote", text: "mcp add" });
  await slack.waitFor(() => slack.screens.modals({ workspace: "acme", as: "alice" }).at(-1));
  const typed = { name: "added", title: "Added", url: `${origin}/mcp` };
  const fields = Object.entries(typed).map(([field, value]) => [`server ${field} `, { [field]: { type: "plain_text_input", value } }]);
  await slack.screens.submit({ workspace: "acme", as: "alice", values: Object.fromEntries(fields) });
  const offered = async () => (await app.operations.externalTools("acme")).tools.find(({ name }) => name === "added__echo");
  let tool = await offered();
  while (!tool) {
    await systemClock.sleep(500);
    tool = await offered();
  }
  const approval = { workspace: "acme", tools: { added__echo: tool.fingerprint }, approve: true, effect: "read-inside" as const };
  expect(await app.operations.decideExternal(approval)).toEqual(["added__echo"]);
  expect(await answerWith("added__echo", { message: "from a server of our own" })).toContain("from a server of our own");
  await app.operations.removeServer({ workspace: "acme", name: "added" });
  const { tools } = await app.operations.externalTools("acme");
  expect(tools.filter(({ server }) => server === "added")).toEqual([]);
}, 600_000);
