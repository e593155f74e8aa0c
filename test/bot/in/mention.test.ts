import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Bot, World } from "./bot.ts";

describe.each(["socket", "http"] as const)("a question over %s", (mode) => {
  let world: World;
  let bot: Bot;
  beforeAll(async () => {
    world = await World.start();
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

test("what was said in a thread before the bot was called is known, once", async () => {
  const world = await World.start();
  try {
    await world.bot();
    const thread = world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: "Which laptop?" });
    const say = (as: string, text: string) => world.slack.post({ workspace: "acme", as, channel: "general", text, thread });
    for (const text of ["the grey one", "no, the blue one", "the grey one is cheaper", "fine"]) say("bob", text);
    say("alice", "@footnote can you sum up?");
    await world.slack.waitFor(() => world.answers("acme", "general", thread).includes("Answer to: can you sum up?"));
    say("alice", "and again?");
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
  } finally {
    await world.stop();
  }
});
