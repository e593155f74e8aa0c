import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { channelId, messageTs } from "../../../src/core/ids.ts";
import { ThreadRepository } from "../../../src/store/repositories/threads.ts";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";
import { type Bot, World } from "./bot.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());

describe.each(["socket", "http"] as const)("a question over %s", (mode) => {
  let world: World;
  let bot: Bot;
  beforeAll(async () => {
    world = await World.start({}, db);
    bot = await world.bot({ mode });
  });
  afterAll(() => world?.stop());

  const post = (text: string, more: { channel?: string; as?: string; thread?: string; workspace?: string; broadcast?: boolean } = {}) =>
    world.slack.post({ workspace: "acme", as: "alice", channel: "general", text, ...more });
  const answered = (thread: string, count = 1, channel = "general", workspace = "acme") =>
    world.slack.waitFor(() => {
      const answers = world.answers(workspace, channel, thread).filter((text) => text !== "…");
      return answers.length >= count && answers;
    });

  test("a mention is answered once in its thread, though Slack sends two events for it", async () => {
    const ts = post("@footnote What is our parental leave?");
    expect(await answered(ts)).toEqual(["Answer to: What is our parental leave?"]);
    await world.idle();
    const events = world.slack.envelopes.filter((envelope) => (envelope.event as { ts?: string }).ts === ts);
    expect(events.map((envelope) => (envelope.event as { type: string }).type).sort()).toEqual(["app_mention", "message"]);
    expect(world.answers("acme", "general", ts)).toHaveLength(1);
    expect(bot.questions.filter((question) => question.message === ts)).toHaveLength(1);
  });

  test("the question carries who, where and the words as meant", async () => {
    const ts = post("@footnote is 1 < 2 & *bold* for @bob in #people-ops?", { as: "bob" });
    await answered(ts);
    expect(bot.questions.at(-1)).toEqual({
      tenant: world.tenant("acme"),
      person: world.slack.workspace("acme").person("bob"),
      channel: world.slack.workspace("acme").channel("general"),
      thread: ts,
      message: ts,
      text: "is 1 < 2 & *bold* for @bob in #people-ops?",
      additions: expect.any(Function),
    });
  });

  test("a follow-up in the thread needs no mention", async () => {
    const ts = post("@footnote one?");
    await answered(ts);
    post("and two?", { thread: ts, as: "bob" });
    expect(await answered(ts, 2)).toEqual(["Answer to: one?", "Answer to: two?".replace("two", "and two")]);
  });

  test("a reply that is also sent to the channel is answered once, in the thread", async () => {
    const ts = post("@footnote three?");
    await answered(ts);
    post("and now?", { thread: ts, broadcast: true });
    await answered(ts, 2);
    await world.idle();
    expect(world.answers("acme", "general", ts)).toHaveLength(2);
  });

  test("a reply that is addressed to a colleague is left to them", async () => {
    const ts = post("@footnote four?");
    await answered(ts);
    post("@bob did you know?", { thread: ts });
    post("@footnote and five?", { thread: ts });
    await answered(ts, 2);
    expect(bot.questions.map((question) => question.text)).not.toContain("@bob did you know?");
  });

  test("a direct message is answered, with or without a mention", async () => {
    const plain = post("hello there", { channel: "direct" });
    expect(await answered(plain, 1, "direct:alice")).toEqual(["Answer to: hello there"]);
    const mention = post("@footnote hello again", { channel: "direct" });
    expect(await answered(mention, 1, "direct:alice")).toEqual(["Answer to: hello again"]);
  });

  test("a bare mention gets a counter-question and asks no model", async () => {
    const before = bot.questions.length;
    const ts = post("@footnote");
    expect(await answered(ts)).toEqual(["What is it?"]);
    expect(bot.questions).toHaveLength(before);
  });

  test("two workspaces with equal names are answered from their own data with their own token", async () => {
    const texts = { acme: post("@footnote who?"), globex: post("@footnote who?", { workspace: "globex" }) };
    await answered(texts.acme);
    await answered(texts.globex, 1, "general", "globex");
    const mine = bot.questions.filter((question) => question.message === texts.globex);
    expect(mine.map((question) => question.tenant)).toEqual([world.tenant("globex")]);
    const shown = world.slack.calls.filter((call) => call.method === "chat.postMessage" && call.args.thread_ts === texts.globex);
    expect(shown.map((call) => call.workspace)).toEqual(["globex"]);
    expect(world.slack.problems).toEqual([]);
  });

  test("a plain message in a channel is none of our business", async () => {
    const before = await world.turnCount();
    post("what is our parental leave?");
    const marker = post("@footnote marker?");
    await answered(marker);
    expect(await world.turnCount()).toBe(before + 1);
  });
});

const historyOf = (world: World, channel: string, thread: string, before: string) => {
  const tenant = world.tenant("acme");
  const rows = new ThreadRepository(world.db.database.forTenant(tenant), tenant);
  return rows.history(channelId(world.slack.workspace("acme").channel(channel)), messageTs(thread), 50, messageTs(before));
};
const textsOf = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text.replace(/<@\w+>/, "@"));

test("H5-THR-01: what was said in a thread before the bot was called is known, once", async () => {
  const world = await World.start({}, db);
  try {
    await world.bot();
    const thread = world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: "Which laptop?" });
    const say = (as: string, text: string) => world.slack.post({ workspace: "acme", as, channel: "general", text, thread });
    for (const text of ["the grey one", "no, the blue one", "the grey one is cheaper", "fine"]) say("bob", text);
    const first = say("alice", "@footnote can you sum up?");
    await world.slack.waitFor(() => world.answers("acme", "general", thread).includes("Answer to: can you sum up?"));
    const second = say("alice", "and again?");
    await world.slack.waitFor(() => world.answers("acme", "general", thread).includes("Answer to: and again?"));
    await world.idle();
    const rows = await world.db.asOwner<{ text: string }>(
      "SELECT text FROM thread_messages ORDER BY coalesce(answers_ts, ts)::numeric, author DESC",
    );
    expect(rows.map((row) => row.text.replace(/<@\w+>/, "@"))).toEqual([
      "Which laptop?",
      "the grey one",
      "no, the blue one",
      "the grey one is cheaper",
      "fine",
      "@ can you sum up?",
      "Answer to: can you sum up?",
      "and again?",
      "Answer to: and again?",
    ]);
    const earlier = ["Which laptop?", "the grey one", "no, the blue one", "the grey one is cheaper", "fine"];
    expect(textsOf(await historyOf(world, "general", thread, first))).toEqual(earlier);
    expect(textsOf(await historyOf(world, "general", thread, second))).toEqual([
      ...earlier,
      "@ can you sum up?",
      "Answer to: can you sum up?",
    ]);
  } finally {
    await world.stop();
  }
});

describe("H5-THR-08: the message that starts a thread and its replies are one conversation", () => {
  test.each(["without a thread_ts", "with a thread_ts that is its own ts"])("%s", async (variant) => {
    const world = await World.start({}, db);
    try {
      await world.bot({ mode: "http" });
      const ts = world.slack.post({ workspace: "acme", as: "alice", channel: "direct", text: "one?" });
      await world.slack.waitFor(() => world.answers("acme", "direct:alice", ts).includes("Answer to: one?"));
      const [envelope] = world.slack.envelopes.filter(({ event }) => (event as { ts?: string }).ts === ts);
      const event = { ...(envelope?.event as object), ts: "1719282819.000100", text: "root?" };
      const root = variant.startsWith("without") ? event : { ...event, thread_ts: "1719282819.000100" };
      const reply = { ...event, ts: "1719282820.000100", thread_ts: "1719282819.000100", text: "and the reply?" };
      const tenant = world.tenant("acme");
      const direct = channelId(world.slack.workspace("acme").direct("alice"));
      const rows = new ThreadRepository(world.db.database.forTenant(tenant), tenant);
      await world.slack.deliver({ ...envelope, event_id: "EvRoot", event: root });
      await world.idle();
      await world.slack.deliver({ ...envelope, event_id: "EvReply", event: reply });
      await world.idle();
      const history = await rows.history(direct, messageTs("1719282819.000100"), 10, messageTs("1719282820.000100"));
      expect(history.map(({ author, text }) => [author, text])).toEqual([
        ["person", "root?"],
        ...history.filter(({ author }) => author === "assistant").map(({ author, text }) => [author, text]),
      ]);
      expect(history.map(({ author }) => author)).toEqual(["person", "assistant"]);
    } finally {
      await world.stop();
    }
  });
});

test("H5-THR-10: a thread is read as a thread, and the first message of an answer is found by the id kept when it was posted", async () => {
  const world = await World.start({}, db);
  try {
    await world.bot({ realSink: true });
    const thread = world.slack.post({ workspace: "acme", as: "bob", channel: "general", text: "Which laptop?" });
    const asked = world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: "@footnote which?", thread });
    await world.slack.waitFor(() => world.answers("acme", "general", thread).some((text) => text.includes("Answer to: which?")));
    await world.idle();
    expect(textsOf(await historyOf(world, "general", thread, asked))).toEqual(["Which laptop?"]);
    expect(world.answers("acme", "general", thread)).toHaveLength(1);
    const methods = world.slack.calls.map(({ method }) => method);
    expect(methods).not.toContain("conversations.history");
    // Once, for what was said before; never to find a message of its own.
    expect(methods.filter((method) => method === "conversations.replies")).toHaveLength(1);
  } finally {
    await world.stop();
  }
});
