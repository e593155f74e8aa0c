import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { traceId } from "../../src/core/ids.ts";
import { type Ask, echo, until, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const post = (text: string, more: { thread?: string; as?: string; channel?: string } = {}) =>
  world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: `@footnote ${text}`, ...more });
const say = (text: string, thread: string, as = "alice") => world.slack.post({ workspace: "acme", as, channel: "general", text, thread });
/** The bot's messages of a thread with everything that they show. */
const answers = (thread: string): string[] =>
  world.slack
    .messages({ workspace: "acme", channel: "general", thread })
    .filter(({ userId }) => userId === world.slack.workspace("acme").botUserId)
    .map(({ text, blocks }) => `${text}\n${JSON.stringify(blocks)}`);
const statuses = async () =>
  (await world.db.asOwner<{ status: string }>("SELECT status FROM turns ORDER BY message_ts::numeric")).map(({ status }) => status);

const said = "The leave is sixteen weeks. And ";

/** Writes a sentence and waits to be stopped, as the agent does; tells of both. */
class Writer {
  begun = 0;
  open = 0;
  readonly ask: Ask = async (_question, sink, signal) => {
    this.begun += 1;
    this.open += 1;
    await sink.write({ type: "answer-start", traceId: traceId("t") });
    await sink.write({ type: "text-delta", text: said });
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    this.open -= 1;
    await sink.write({ type: "answer-stopped", text: said });
  };
}
/** Heeds no signal. */
const stuck: Ask = async (_question, sink) => {
  await sink.write({ type: "answer-start", traceId: traceId("t") });
  await sink.write({ type: "text-delta", text: said });
  await new Promise(() => undefined);
};

let world: World;

describe.each(testDatabases)("stopping, on the %s database", (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db?.close());
  beforeEach(async () => {
    world = await World.start({}, db);
  });
  afterEach(() => world?.stop());

  const shown = (thread: string, text: string) => world.slack.waitFor(() => answers(thread).some((one) => one.includes(text)));
  const stopButton = (thread: string) =>
    world.slack.waitFor(() =>
      world.slack
        .messages({ workspace: "acme", channel: "general", thread })
        .find(({ blocks }) => JSON.stringify(blocks).includes("stop_turn")),
    );
  const click = (ts: string, as: string, actionId = "stop_turn") =>
    world.slack.click({ workspace: "acme", as, channel: "general", ts, actionId });

  test.each(["stop", "Stopp!", "@footnote stop"])(
    "%j from the asker ends the answer; what was written stays, and it says who stopped it",
    async (word) => {
      const writer = new Writer();
      await world.bot({ ask: writer.ask, realSink: true });
      const ts = post("how long?");
      await shown(ts, "The leave is");
      say(word, ts);
      await world.idle();
      expect(writer.open).toBe(0);
      expect(answers(ts)).toHaveLength(1);
      expect(answers(ts)[0]).toContain("The leave is");
      expect(answers(ts)[0]).toContain(`Stopped by <@${world.slack.workspace("acme").person("alice")}>`);
      expect(await statuses()).toEqual(["stopped"]);
    },
  );

  test("the Stop button works for its asker and for an admin, at a process that does not write the answer, too", async () => {
    const writer = new Writer();
    const first = await world.bot({ ask: writer.ask, realSink: true, streaming: false });
    const threads = [post("one?", { as: "bob" }), post("two?", { as: "bob" })];
    const buttons = [];
    for (const thread of threads) buttons.push(await stopButton(thread));
    // The first process answers on, but hears nothing any more: every click reaches the other one.
    await first.slack.stop();
    await world.bot({ ask: writer.ask, realSink: true, works: false });
    await click(buttons[0]?.ts ?? "", "bob");
    await click(buttons[1]?.ts ?? "", "alice");
    await world.idle();
    expect(writer.open).toBe(0);
    expect(await statuses()).toEqual(["stopped", "stopped"]);
    for (const thread of threads) expect(answers(thread).join()).not.toContain("stop_turn");
  });

  test("Slack's own stop button ends the work as well", async () => {
    const writer = new Writer();
    await world.bot({ ask: writer.ask, realSink: true });
    const ts = post("how long?");
    const live = await world.slack.waitFor(() =>
      world.slack.messages({ workspace: "acme", channel: "general", thread: ts }).find(({ stream }) => stream?.state === "in_progress"),
    );
    await shown(ts, "The leave is");
    world.slack.people.stopStream({ workspace: "acme", as: "alice", channel: "general", ts: live.ts });
    await world.idle();
    expect(writer.open).toBe(0);
    expect(await statuses()).toEqual(["stopped"]);
    expect(answers(ts)).toHaveLength(1);
    expect(answers(ts)[0]).toMatch(/The leave is sixteen weeks.*Stopped by/s);
  });

  test("nobody else stops it: not by word, not by button, not by a forged or stale payload", async () => {
    const writer = new Writer();
    const bot = await world.bot({ ask: writer.ask, realSink: true, streaming: false });
    const ts = post("how long?");
    const { ts: message } = await stopButton(ts);
    say("stop", ts, "bob");
    await until(() => bot.told.length === 1);
    await click(message, "bob");
    const [row] = await world.db.asOwner<{ id: string }>("SELECT id FROM turns");
    const { teamId, person, channel } = world.slack.workspace("acme");
    const globex = world.slack.workspace("globex");
    const forged = (team: string, user: string, place: string) =>
      world.slack.deliver({
        ...{ type: "block_actions", api_app_id: "A0FOOTNOTE1", team: { id: team }, user: { id: user }, channel: { id: place } },
        actions: [{ type: "button", action_id: "stop_turn", value: row?.id }],
      });
    // Another channel, another workspace with the asker's id, a person that does not exist.
    await forged(teamId, person("alice"), channel("people-ops"));
    await forged(globex.teamId, person("alice"), channel("general"));
    await forged(teamId, "UNOBODY", channel("general"));
    const envelope = world.slack.envelopes.find(({ event }) => (event as { ts?: string }).ts === ts);
    const event = { type: "agent_session_stopped", channel: channel("general"), user: person("alice"), thread_ts: ts };
    // A stop of an answer that was there before.
    await world.slack.deliver({ ...envelope, event_id: "EvOld", event: { ...event, streaming_message_ts: ["1.000001"], event_ts: "2.0" } });
    expect(writer.open).toBe(1);
    expect(await statuses()).toEqual(["running"]);
    say("stop", ts);
    await world.idle();
    expect(await statuses()).toEqual(["stopped"]);
  });

  test("an agent that does not heed it is ended all the same", async () => {
    await world.bot({ ask: stuck, realSink: true, limits: { stopMs: 50 } });
    const ts = post("how long?");
    await shown(ts, "The leave is");
    say("stop", ts);
    await world.idle();
    expect(answers(ts)[0]).toMatch(/The leave is sixteen weeks.*Stopped by/s);
    expect(await statuses()).toEqual(["stopped"]);
  });

  test("questions of the same person that wait behind it are stopped, too; a stop that comes late stops nothing newer", async () => {
    const writer = new Writer();
    const bot = await world.bot({ ask: writer.ask, realSink: true });
    const ts = post("one?");
    await shown(ts, "The leave is");
    say("and two?", ts);
    while ((await world.turnCount()) < 2) await world.clock.sleep(10);
    const stop = say("stop", ts);
    await world.idle();
    expect(await statuses()).toEqual(["stopped", "stopped"]);
    expect(writer.begun).toBe(1);

    say("three?", ts);
    await until(() => writer.begun === 2);
    const late = world.slack.envelopes.find(({ event }) => (event as { ts?: string }).ts === stop);
    await world.slack.deliver({ ...late, event_id: "EvLate" });
    expect(writer.open).toBe(1);
    say("stop", ts);
    await world.idle();
    expect(bot.told).toEqual([]);
  });

  test("stop where nothing runs is no question, and only somebody who speaks to the bot is told", async () => {
    const bot = await world.bot();
    const ts = post("one?");
    await shown(ts, "Answer to: one?");
    await world.idle();
    say("stop", ts);
    say("@footnote stop", ts);
    await until(() => bot.told.length >= 1);
    await world.idle();
    expect(bot.questions).toHaveLength(1);
    expect(new Set(bot.told.map(({ outcome }) => outcome))).toEqual(new Set(["nothing-runs"]));
  });

  test("a stopped answer can be asked for again, by its asker alone and once; the word that stopped it, delivered once more, does not stop that", async () => {
    const writer = new Writer();
    let ask: Ask = writer.ask;
    await world.bot({ ask: (...args) => ask(...args), realSink: true });
    const ts = post("how long?");
    await shown(ts, "The leave is");
    const stop = say("stop", ts);
    await world.idle();
    const [message] = world.slack.messages({ workspace: "acme", channel: "general", thread: ts }).slice(1);
    await click(message?.ts ?? "", "bob", "regenerate_turn");
    expect(await statuses()).toEqual(["stopped"]);
    await click(message?.ts ?? "", "alice", "regenerate_turn");
    await until(() => writer.begun === 2);
    const repeated = world.slack.envelopes.find(({ event }) => (event as { ts?: string }).ts === stop);
    await world.slack.deliver({ ...repeated, event_id: "EvRepeated" });
    expect(await world.db.asOwner<{ stop: string | null }>("SELECT stop FROM turn_queue")).toEqual([{ stop: null }]);
    say("stop", ts);
    await world.idle();

    ask = echo;
    const value = /regenerate_turn","value":"([^"]+)"/.exec(JSON.stringify(message?.blocks))?.[1];
    await click(message?.ts ?? "", "alice", "regenerate_turn");
    await shown(ts, "Answer to: how long?");
    await world.idle();
    expect(answers(ts)).toHaveLength(1);
    const { teamId, person, channel } = world.slack.workspace("acme");
    await world.slack.deliver({
      ...{ type: "block_actions", api_app_id: "A0FOOTNOTE1", team: { id: teamId }, user: { id: person("alice") } },
      ...{ channel: { id: channel("general") }, actions: [{ type: "button", action_id: "regenerate_turn", value }] },
    });
    expect(await statuses()).toEqual(["answered"]);
  });
});
