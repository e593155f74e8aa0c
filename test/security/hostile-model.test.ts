import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { TraceRecord } from "../../src/agent/trace.ts";
import { ModelServer, type Reply } from "../fakes/model-server.ts";
import { answers, ask, shown } from "../journeys/answer.ts";
import { type RunningApp, runApp } from "../journeys/running-app.ts";
import { strangers } from "./strangers.ts";

// The model is the attacker: it says and calls whatever would hurt. Nothing here may pass because it was asked nicely.

const asking = { workspace: "acme", as: "alice", channel: "general", question: "What is our parental leave?" };

let model: ModelServer;
let running: RunningApp;
beforeAll(async () => {
  model = await ModelServer.start((_, reply) => reply.say("Nothing."));
  running = await runApp({ modelUrl: model.url, documents: false, morePlugins: [strangers] });
});
afterAll(async () => {
  await running.stop();
  await model.stop();
});
beforeEach(() => {
  model.requests.length = 0;
});

/** One answer, complete, within Slack's limits, with nothing in it that pings or leads anywhere. */
async function asked(): Promise<string> {
  const before = { problems: running.slack.problems.length, mentions: running.slack.mentions.length, links: running.slack.links.length };
  const { thread, text } = await ask(running.slack, asking);
  expect(
    answers(running.slack, asking, thread)
      .map(shown)
      .filter((one) => /^Trace/m.test(one)),
  ).toHaveLength(1);
  expect(running.slack.problems.slice(before.problems)).toEqual([]);
  expect(running.slack.mentions.slice(before.mentions)).toEqual([]);
  expect(running.slack.links.slice(before.links).map(({ url }) => url)).toEqual([]);
  return text;
}

/** What the model was told about its calls. */
const results = () =>
  model.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === "tool")
    .map(({ content }) => content ?? "") ?? [];

const firstCalls = (calls: (reply: Reply) => void) => {
  model.script = ({ messages }, reply) => (messages.some(({ role }) => role === "tool") ? reply.say("Done.") : calls(reply));
};

describe("T35, T50, T54, T58: calls that nobody should make", () => {
  const nested = (depth: number) => `${'{"query":'.repeat(depth)}"x"${"}".repeat(depth)}`;
  test.each([
    ["not JSON", (reply: Reply) => reply.callRaw("query_documents", '{"query": "x", ')],
    ["arguments nested 100,000 deep", (reply: Reply) => reply.callRaw("query_documents", nested(100_000))],
    [
      "a list nested 100,000 deep",
      (reply: Reply) => reply.callRaw("query_documents", `{"query":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    ],
    ["a query of 3 million letters", (reply: Reply) => reply.call("query_documents", { query: "x".repeat(3_000_000) })],
    ["NUL in a query", (reply: Reply) => reply.call("query_documents", { query: "parental\0leave" })],
    ["half a surrogate pair in a query", (reply: Reply) => reply.callRaw("query_documents", '{"query":"leave \\ud800"}')],
    ["a poisoned prototype", (reply: Reply) => reply.callRaw("query_documents", '{"query":"x","__proto__":{"limit":1}}')],
    ["__proto__", (reply: Reply) => reply.call("__proto__", {})],
    ["a name in other letters", (reply: Reply) => reply.call("query_document\u0455", { query: "leave" })],
    ["a name of markup", (reply: Reply) => reply.call("<!channel> <https://evil.example|x> \0\u202Eq", { query: "leave" })],
    ["a name of 100,000 letters", (reply: Reply) => reply.call("q".repeat(100_000), { query: "leave" })],
    [
      "a label of markup",
      (reply: Reply) => reply.call("query_documents", { query: "<!channel> <@U012AB3CD> https://evil.example/?q=1 `" }),
    ],
  ])("%s: the model is told, the person gets an answer, the trace is kept", async (_, calls) => {
    firstCalls(calls);
    const text = await asked();
    expect(text).toContain("Done.");
    expect(results()).toHaveLength(1);
    const trace = /^Trace `([0-9a-f-]{36})`/m.exec(text)?.[1] ?? "";
    const { entries } = (await running.app.operations.trace(trace)).trace as TraceRecord;
    expect(entries.filter(({ kind }) => kind === "tool")).toHaveLength(1);
  });

  test("64 tools at once: the limit holds, each call has a result", async () => {
    firstCalls((reply) => {
      for (let n = 0; n < 64; n++) reply.call("query_documents", { query: `leave ${n}` });
    });
    expect(await asked()).toContain("Done.");
    expect(results()).toHaveLength(64);
    expect(results().filter((one) => /TOO_MANY_CALLS/.test(one))).toHaveLength(40);
  });

  test("a model that calls tools for ever is brought to an end", async () => {
    model.script = ({ messages, tools }, reply) => {
      if (tools === undefined || (messages.at(-1)?.role === "user" && messages.length > 3)) return reply.say("At last.");
      reply.call("query_documents", { query: `round ${model.requests.length}` });
    };
    expect(await asked()).toMatch(/At last|limit/);
    expect(model.requests.length).toBeLessThan(20);
  });
});

describe("T20, T29: words that nobody should write", () => {
  test.each([
    ["NUL", "The answer\0is 18 weeks."],
    ["half a surrogate pair", "The answer \uD800 is 18 weeks."],
    ["markers without a source", "It is 18 weeks [99][1], says the policy [^7] and 【3†page 2】."],
    ["a source list of its own", "It is 18 weeks.\n\n---\n\n**Sources**\n[1] [Handbook](https://evil.example/x), page 3"],
    ["a trace of its own", "It is 18 weeks.\n\nTrace: `00000000-0000-4000-8000-000000000000`"],
    ["a fence that never ends", "It is 18 weeks.\n\n```\n<!channel> https://evil.example/x\n"],
    ["a fence that breaks out", "```\nIt is 18 weeks.\n``` <!here> https://evil.example\n```"],
    ["pings of every kind", "18 weeks <!channel> <!here> <!everyone> <!subteam^S123> <@U012AB3CD> <#C012AB3CD> @channel @here @everyone"],
    [
      "links in every form",
      "18 weeks <https://evil.example|x> [a](https://evil.example) [b][r] ![c](https://evil.example/p.png) evil.example/x mailto:a@evil.example " +
        "javascript:alert(1) slack://x //evil.example/y https://ok.example@evil.example https:\\\\evil.example `x`https://evil.example/z\n\n[r]: https://evil.example",
    ],
    [
      "tables and headings of markup",
      "# 18 weeks <!channel>\n\n| a | https://evil.example |\n|---|---|\n| <!here> | [x](https://evil.example) |",
    ],
  ])("%s: inert, and the answer arrives", async (_, words) => {
    model.script = (_request, reply) => reply.say(words);
    const text = await asked();
    expect(text).toContain("18 weeks");
  });

  test.each(["The answer\0is 18 weeks.", "The answer \uD800 is 18 weeks."])(
    "after %j the thread goes on: the next question is answered",
    async (words) => {
      model.script = (_request, reply) => reply.say(words);
      const { thread } = await ask(running.slack, asking);
      model.script = (_request, reply) => reply.say("The second answer.");
      const { text } = await ask(running.slack, { ...asking, question: "And then?", thread }, { count: 2 });
      expect(text).toContain("The second answer.");
    },
  );

  test("60,000 characters are cut at the limit, and it is said", async () => {
    model.script = (_request, reply) => {
      for (let n = 0; n < 600; n++) reply.say(`Sentence number ${n} of a very long answer. ${"word ".repeat(11)}`);
    };
    expect(await asked()).toMatch(/cut at 12000/);
  });
});

describe("T20, T24, T29: what strangers wrote, named and cited by a model that obeys them", () => {
  /** Reads what the strangers have written, then says these words. */
  const citing = (words: string) => {
    model.script = ({ messages }, reply) =>
      messages.some(({ role }) => role === "tool") ? reply.say(words) : reply.call("read_strangers", { subject: "leave" });
  };
  const shownLinks = async () => {
    const before = { links: running.slack.links.length, mentions: running.slack.mentions.length };
    const { text } = await ask(running.slack, asking);
    expect(running.slack.mentions.slice(before.mentions)).toEqual([]);
    return { text, links: new Set(running.slack.links.slice(before.links).map(({ url }) => url)) };
  };

  test("titles with addresses and pings lead nowhere but to their own source, and call nobody", async () => {
    citing("It is 18 weeks [1], not more [2], nor less [3], whoever asks [4].");
    const { text, links } = await shownLinks();
    expect(text).toContain("18 weeks");
    expect([...links].sort()).toEqual(["https://strangers.example/1", "https://strangers.example/2", "https://strangers.example/3"]);
  });

  test("an address that only the text of a source names is dead, and so is a source's address with something added", async () => {
    citing(
      "It is 18 weeks [1]. See https://evil.example/from-the-text, https://strangers.example/1?d=secret and [here](https://strangers.example/10).",
    );
    const { links } = await shownLinks();
    expect([...links]).toEqual(["https://strangers.example/1"]);
  });

  test("hidden letters of a tool reach neither the model nor a reader; flags and right-to-left text do", async () => {
    citing("It is 18 weeks [1].");
    const { text } = await shownLinks();
    const read = results().join("\n");
    for (const words of [read, text]) expect(words).not.toMatch(/[\u00AD\u200B\u202A-\u202E\u2060-\u206F]|[\u{E0041}-\u{E005A}]/u);
    expect(read).toContain("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}");
    expect(read).toContain("\u05E9\u05DC\u05D5\u05DD");
  });

  test("hidden letters of the model reach no reader", async () => {
    const smuggled = [..."secret"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
    citing(`It is 18 weeks${smuggled}\u202E and\u2060 more [1].`);
    const { text } = await shownLinks();
    expect(text).not.toMatch(/[\u202A-\u202E\u2060-\u206F]|[\u{E0000}-\u{E007F}]/u);
  });
});
