import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { ModelServer, type Script } from "../fakes/model-server.ts";
import { answers, ask, shown, write } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

// A question to the documents and to GitHub at once, one to the web, one to nobody: the whole program, with a scripted model and services
// on this machine that the operator has listed.

const asking = { workspace: "acme", as: "alice", channel: "general" };
const compare = "What's the status of Project Lighthouse and how does it compare to similar GitHub projects?";
/** Asked in the channel to which the project's document is granted. */
const comparing = { ...asking, channel: "guest-project", question: compare };
const latest = "What is the latest version of Node.js?";
const general = "What is the capital of France?";

/** As a sensible model would decide: its words are made up, its calls are real. */
const sensible: Script = ({ messages }, reply) => {
  const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  if (results.length === 0 && question.includes("Lighthouse")) {
    reply.call("github_search_repositories", { query: "dashboard" });
    reply.call("query_documents", { query: "status of Project Lighthouse" });
    return;
  }
  if (results.length === 0 && question.includes("latest"))
    return reply.call("web_search", { query: "Node.js latest version", within: "month" });
  if (results.length === 0) return reply.say("Paris.");
  const number = (words: RegExp) => results.flatMap((result) => [...result.matchAll(words)])[0]?.[1] ?? "0";
  if (question.includes("latest")) return reply.say(`It is version 26 [${number(/\[(\d+)\] Node\.js 26 is here/g)}].`);
  reply.say(
    `Lighthouse is on its way [${number(/\[(\d+)\] Project Lighthouse/gi)}], octo/planner is older [${number(/\[(\d+)\] octo\/planner/g)}].`,
  );
};

/** GitHub and SearXNG in their shapes. */
let outside: Server;
const asked: string[] = [];
/** What GitHub waits for before it answers. */
let hold: () => Promise<unknown> = async () => undefined;

let folder: string;
let model: ModelServer;
let running: RunningApp;
beforeAll(async () => {
  outside = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.startsWith("/search/repositories")) await hold();
    const answer = request.url?.startsWith("/search/repositories")
      ? { total_count: 1, items: [{ full_name: "octo/planner", html_url: "https://github.com/octo/planner", description: "Plans." }] }
      : {
          results: [
            { url: "https://nodejs.example/26", title: "Node.js 26 is here", content: "Version 26 is out.", publishedDate: "2026-01-02" },
          ],
        };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  model = await ModelServer.start(sensible);
  folder = await mkdtemp(join(tmpdir(), "footnote-outside-"));
  const settings = join(folder, "workspaces.yaml");
  await writeFile(settings, `acme: { web: { searxng_url: "${origin}" } }`);
  running = await runApp({
    modelUrl: model.url,
    environment: {
      FOOTNOTE_INTERNAL_ORIGINS: origin,
      FOOTNOTE_WORKSPACE_SETTINGS_FILE: settings,
      FOOTNOTE_PLUGIN_GITHUB_TOKEN: "ghp_canary",
      FOOTNOTE_PLUGIN_GITHUB_API_URL: origin,
    },
  });
});
afterAll(async () => {
  await running.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
  outside.closeAllConnections();
  await new Promise((resolve) => outside.close(resolve));
});
beforeEach(() => {
  asked.length = 0;
  model.requests.length = 0;
  hold = async () => undefined;
});

test("a project's status and its like on GitHub: both are asked at once, and both are cited", async () => {
  const thread = await write(running.slack, comparing);
  // GitHub answers only when the documents have been searched: if one waited for the other, nothing would ever come.
  hold = () => running.slack.waitFor(() => draft().find((each) => /Lighthouse" · \d+ results?/.test(each)), { timeoutMs: 150_000 });
  const draft = () => answers(running.slack, comparing, thread).map(shown);
  const text = await running.slack.waitFor(() => draft().find((each) => /^Trace/m.test(each)), { timeoutMs: 150_000 });
  expect(text).toMatch(/Lighthouse is on its way \[+\d\]+.*octo\/planner is older \[+\d\]+/);
  expect(text).toMatch(/\*Sources\*[\s\S]*Project Lighthouse/);
  expect(running.slack.links.map(({ url }) => url)).toContain("https://github.com/octo/planner");
  expect(asked).toHaveLength(1);
  expect(model.requests).toHaveLength(2);
  expect(text).not.toContain("canary");
});

test("what is new is asked of the web, with the day in the result", async () => {
  const { text } = await ask(running.slack, { ...asking, question: latest });
  expect(text).toContain("It is version 26");
  expect(running.slack.links.map(({ url }) => url)).toContain("https://nodejs.example/26");
  expect(asked).toEqual([expect.stringMatching(/^\/search\?q=Node\.js\+latest\+version&format=json&time_range=month$/)]);
  expect(model.requests[1]?.messages.at(-1)?.content).toContain("published: 2026-01-02, retrieved: 20");
});

test("what everybody knows is asked of nobody", async () => {
  const { text } = await ask(running.slack, { ...asking, question: general });
  expect(text).toContain("Paris.");
  expect(asked).toEqual([]);
  expect(model.requests).toHaveLength(1);
});

test("a workspace for which the operator has set up no search has none; what is set up for all it has", async () => {
  await ask(running.slack, { workspace: "globex", as: "alice", channel: "general", question: general });
  const offered = model.requests[0]?.tools?.map((tool) => tool.function.name) ?? [];
  expect(offered).toContain("github_search_repositories");
  expect(offered).not.toContain("web_search");
  expect(offered).not.toContain("read_web_page");
  expect(offered).not.toContain("github_create_issue");
});
