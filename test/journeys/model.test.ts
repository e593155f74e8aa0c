import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Plugin, Tool } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { ModelServer, type Reply, type Script } from "../fakes/model-server.ts";
import { answers, ask, shown, write } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

/** When each tool call began and ended, in the order they began. */
let spans: { readonly tag: string; readonly from: number; to: number }[] = [];

const slow: Tool = defineTool<{ ms: number; tag: string }>({
  name: "slow_tool",
  description: "Waits as long as it is told.",
  parameters: {
    type: "object",
    properties: { ms: { type: "number", description: "Milliseconds." }, tag: { type: "string", description: "A name." } },
    required: ["ms", "tag"],
  },
  annotations: { readOnly: true },
  async execute({ ms, tag }, { clock, signal }) {
    const span = { tag, from: clock.monotonic(), to: Number.POSITIVE_INFINITY };
    spans.push(span);
    await clock.sleep(ms, signal);
    span.to = clock.monotonic();
    return text(`The result of ${tag}.`);
  },
});

/** Never ends, and does not listen to its signal either. */
const hung: Tool = defineTool({
  name: "hung_tool",
  description: "Never comes back.",
  parameters: { type: "object", properties: {} },
  timeoutMs: 400,
  annotations: { readOnly: true },
  execute: () => new Promise(() => {}),
});

const bench: Plugin = { name: "journey", tools: [slow, hung] };
const asking = { workspace: "acme", as: "alice", channel: "general", question: "Go." };

let model: ModelServer;
let running: RunningApp;
beforeAll(async () => {
  model = await ModelServer.start((_, reply) => reply.say("Nothing."));
  running = await runApp({ modelUrl: model.url, morePlugins: [bench], documents: false });
});
afterAll(async () => {
  await running.stop();
  await model.stop();
});

/** First the tools, then the answer. */
const twoSteps =
  (first: (reply: Reply) => void, second: (reply: Reply) => void | Promise<void>): Script =>
  ({ messages }, reply) =>
    messages.at(-1)?.role === "tool" ? second(reply) : first(reply);
const results = () =>
  model.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === "tool")
    .map(({ content }) => content ?? "") ?? [];

test("the tools of one step run at once: four of 200 ms overlap, and all their results reach the model in order", async () => {
  spans = [];
  model.script = twoSteps(
    (reply) => ["a", "b", "c", "d"].forEach((tag) => void reply.call("slow_tool", { ms: 200, tag })),
    (reply) => reply.say("Done with all four."),
  );
  const { text: said } = await ask(running.slack, asking);
  expect(said).toContain("Done with all four.");
  expect(Math.max(...spans.map(({ from }) => from))).toBeLessThan(Math.min(...spans.map(({ to }) => to)));
  expect(results().map((content) => /result of (.)/.exec(content)?.[1])).toEqual(["a", "b", "c", "d"]);
});

test("a hung tool ends at its limit, and the others' results are used", async () => {
  model.script = twoSteps(
    (reply) => {
      reply.call("hung_tool", {});
      reply.call("slow_tool", { ms: 10, tag: "quick" });
    },
    (reply) => reply.say("One came back."),
  );
  const { text: said } = await ask(running.slack, asking);
  expect(said).toContain("One came back.");
  expect(results()[0]).toMatch(/time|took/i);
  expect(results()[1]).toContain("The result of quick.");
});

test("text is in the thread while the model is still writing", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  model.script = async (_, reply) => {
    reply.say("The first half is here for all to read, ");
    await held;
    reply.say("and this is the end.");
  };
  const thread = await write(running.slack, asking);
  const text = () => answers(running.slack, asking, thread).map(shown).join("\n");
  await running.slack.waitFor(() => text().includes("The first half is here"));
  expect(text()).not.toContain("and this is the end");
  release();
  await running.slack.waitFor(() => text().includes("and this is the end.") && /^Trace/m.test(text()));
});

test("an answer that the model's server cuts off is never shown as whole", async () => {
  let cut = () => {};
  const seen = new Promise<void>((resolve) => {
    cut = resolve;
  });
  model.script = async (_, reply) => {
    reply.say("Half of an answer stands here and ");
    await seen;
    reply.cut();
  };
  const thread = await write(running.slack, asking);
  const said = () => answers(running.slack, asking, thread).map(shown).join("\n");
  await running.slack.waitFor(() => said().includes("Half of an answer"));
  cut();
  await running.slack.waitFor(() => /incomplete/.test(said()) && /Error id|Trace/.test(said()));
});

test("pings and links that the model writes are inert", async () => {
  model.script = (_, reply) => reply.say("<!channel> <@U012AB3CD> see https://evil.example/?q=secret and [here](https://evil.example/x).");
  const before = [running.slack.mentions.length, running.slack.links.filter(({ url }) => url.includes("evil")).length];
  await ask(running.slack, asking);
  expect([running.slack.mentions.length, running.slack.links.filter(({ url }) => url.includes("evil")).length]).toEqual(before);
});

test("when the model cannot be reached, the documents are quoted and the answer says so", async () => {
  const alone = await runApp({ modelUrl: "http://127.0.0.1:9/v1" });
  const { text: said } = await ask(alone.slack, { ...asking, question: "What is our parental leave?" });
  expect(said).toContain("18 weeks");
  expect(said).toMatch(/model/i);
  await alone.stop();
});

test("H5-SRC-06: asked as a mention and through the operator's door, the same person in the same channel has the same tools and gets the same source", async () => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-source-"));
  await writeFile(join(folder, "lamp.md"), "# Lamps\n\nThe brass lamp hangs in the cellar.");
  await running.app.operations.ingest({ workspace: "acme", paths: [folder] }, () => {}, new AbortController().signal);
  await rm(folder, { recursive: true, force: true });
  const offered: string[][] = [];
  model.script = ({ tools = [], messages }, reply) => {
    offered.push(tools.map((tool) => tool.function.name));
    if (messages.at(-1)?.role === "tool") reply.say("In the cellar [1].");
    else reply.call("query_documents", { query: "Where does the brass lamp hang?" });
  };
  const question = { ...asking, question: "Where does the brass lamp hang?" };
  const mentioned = await ask(running.slack, question);
  const asked = await running.app.operations.ask(question, { write: () => {} }, new AbortController().signal);
  expect(offered[0]).toContain("query_documents");
  expect(new Set(offered.map((names) => names.join()))).toEqual(new Set([offered[0]?.join()]));
  expect(asked.citations.map(({ title }) => title)).toEqual(["Lamps"]);
  expect(mentioned.text).toContain("Lamps");
});
