import type { Model, ModelEvent, ModelRequest } from "../../../src/agent/model/model.ts";
import type { ThreadMessage, ThreadSummaries, ThreadSummary, Threads } from "../../../src/agent/ports.ts";
import { messageTs } from "../../../src/core/ids.ts";
import { person } from "../../fakes/people.ts";
import { says } from "../../fakes/scripted-model.ts";
import { agent, alice } from "../setup.ts";

const bob = person("bob");
const thread = messageTs("1.0");
const isSummary = ({ system }: ModelRequest) => system.startsWith("You condense");
const notices = (events: readonly { type: string; text?: string }[]) =>
  events.flatMap(({ type, text }) => (type === "notice" ? [text] : []));

/** A thread of `length` messages, a person's and an answer in turn, as memory keeps it. */
const messages = (length: number): ThreadMessage[] =>
  Array.from({ length }, (_, at) => ({
    ts: messageTs(`${at + 1}.0`),
    text: `message ${at + 1}`,
    ...(at % 2 === 0 ? { author: "person", person: at % 4 === 0 ? alice.id : bob.id } : { author: "assistant" }),
  }));

/** A long thread in which questions are asked one after another. */
function longThread({ length = 60, summarise = (_request: ModelRequest): readonly ModelEvent[] => says("They spoke of numbers.") } = {}) {
  const said = messages(length);
  const saved = new Map<string, ThreadSummary>();
  const reads: number[] = [];
  const threads: Threads = {
    history: async (_channel, _thread, limit, before) => {
      reads.push(limit);
      return said.filter(({ ts }) => before === undefined || Number(ts) < Number(before)).slice(-limit);
    },
  };
  const summaries: ThreadSummaries = {
    find: async (channel, thread) => saved.get(`${channel} ${thread}`),
    save: async (channel, thread, summary) => void saved.set(`${channel} ${thread}`, summary),
  };
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: "scripted",
    async *stream(request) {
      requests.push(request);
      yield* isSummary(request) ? summarise(request) : says("Fine.");
    },
  };
  const made = agent({ model, people: [alice, bob], ports: { threads, summaries } });
  const ask = async (text = "And now?") => {
    const message = messageTs(`${said.length + 1}.0`);
    made.events.length = 0;
    requests.length = 0;
    const answer = await made.ask({ text, thread, message });
    said.push({ ts: message, author: "person", person: alice.id, text });
    said.push({ ts: messageTs(`${said.length + 1}.0`), author: "assistant", text: answer.text });
    const asked = requests.find((request) => !isSummary(request));
    return { answer, notices: notices(made.events), summaryRequest: requests.find(isSummary), read: asked?.messages ?? [] };
  };
  return { ask, saved, traces: made.traces };
}

test("older messages are summarised once, the person is told once, and what is new is word for word", async () => {
  const { ask, saved } = longThread();
  const first = await ask();
  expect(first.notices).toEqual(["Earlier messages of this thread are summarised."]);
  expect(first.summaryRequest?.messages[0]?.content).toContain("bob: message 3");
  const contents = first.read.map(({ content }) => content);
  expect(contents[0]).toBe("alice: message 1");
  expect(contents[1]).toMatch(/^\[Summary of earlier messages of this thread, written by Footnote.*\]\nThey spoke of numbers\.$/s);
  expect(contents.slice(-3)).toEqual(["bob: message 59", "message 60", "alice: And now?"]);
  expect(saved.size).toBe(1);

  for (const _ of [1, 2, 3]) {
    const next = await ask();
    expect([next.summaryRequest, next.notices]).toEqual([undefined, []]);
    expect(next.read.map(({ content }) => content).join("\n")).toContain("They spoke of numbers.");
  }
});

test("nothing is in neither: each message is in the summarised part or word for word", async () => {
  const { ask } = longThread();
  const { summaryRequest, read } = await ask();
  const all = [summaryRequest?.messages[0]?.content, ...read.map(({ content }) => content)].join("\n");
  for (let at = 1; at <= 60; at++) expect(all).toMatch(new RegExp(`\\bmessage ${at}\\b`));
});

test("when the thread has outgrown the budgets again, the summary is extended, without another notice", async () => {
  let made = 0;
  const { ask, saved } = longThread({ summarise: () => says(`Summary ${++made}.`) });
  const rounds = [];
  for (let at = 0; at < 25; at++) rounds.push(await ask(`question ${at}`));
  const extended = rounds.filter(({ summaryRequest }) => summaryRequest);
  expect(extended.length).toBeGreaterThan(1);
  expect(extended.length).toBeLessThan(5);
  const second = extended[1]?.summaryRequest?.messages[0]?.content ?? "";
  expect(second).toContain("Summary 1.");
  expect(second).not.toContain("message 3\n");
  expect(rounds.flatMap(({ notices }) => notices)).toHaveLength(1);
  expect([...saved.values()][0]?.text).toBe(`Summary ${made}.`);
});

test("a thread that fits is read word for word, and no summary is asked for", async () => {
  const { ask, saved } = longThread({ length: 12 });
  const { read, summaryRequest, notices } = await ask();
  expect(read).toHaveLength(13);
  expect([summaryRequest, notices, saved.size]).toEqual([undefined, [], 0]);
});

test.each([
  ["fails", (): readonly ModelEvent[] => [{ type: "model-error", error: { code: "refused", message: "no", retryable: false } }]],
  ["says nothing", () => says("")],
  [
    "throws",
    () => {
      throw new Error("boom");
    },
  ],
])("when the model %s, the oldest messages are left out and the answer comes all the same", async (_how, summarise) => {
  const { ask, saved } = longThread({ summarise });
  const { answer, read, notices } = await ask();
  expect(answer.status).toBe("answered");
  expect(notices).toEqual(["Earlier messages of this thread are left out."]);
  expect(read.map(({ content }) => content)).toEqual(expect.arrayContaining(["alice: message 1", "message 60"]));
  expect(saved.size).toBe(0);
});

test("another thread's summary is never read", async () => {
  const { ask, saved } = longThread();
  saved.set("C_GENERAL 2.0", { text: "Secret of another thread.", until: messageTs("5.0") });
  const { read } = await ask();
  expect(JSON.stringify(read)).not.toContain("Secret");
});

test("the call stands in the trace and counts towards the answer's tokens", async () => {
  const { ask, traces } = longThread();
  await ask();
  expect(traces[0]?.entries).toMatchObject([
    { kind: "model", finish: "summary: stop" },
    { kind: "model", finish: "done" },
  ]);
  expect(traces[0]?.inputTokens).toBe(20);
});

test("the offline answerer is not asked for what it cannot do: the oldest messages are left out", async () => {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: "quoting",
    quotesOnly: true,
    async *stream(request) {
      requests.push(request);
      yield* says("Quoted.");
    },
  };
  const summaries = { find: () => Promise.reject(new Error("not to be read")), save: () => Promise.reject(new Error("nor written")) };
  const { ask, events } = agent({ model, people: [alice, bob], history: messages(40), ports: { summaries } });
  expect((await ask({ thread, message: messageTs("99.0") })).text).toBe("Quoted.");
  expect(requests).toHaveLength(1);
  expect(notices(events)).toEqual([]);
});
