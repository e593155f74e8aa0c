import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { TenantTurns } from "../../src/bot/turns/turn-store.ts";
import { echo, turnsWith, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";

const quick = { retryDelaysMs: [3_000, 500, 1_000, 2_000, 4_000] };
/** For tests in which every delivery is taken: however busy the machine, it is in time. */
const patient = { retryDelaysMs: [120_000, 500] };
const ask = { workspace: "acme", as: "alice", channel: "general", text: "@footnote ready?" };

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());
beforeEach(async () => {
  world = await World.start(quick, db);
});
afterEach(() => world?.stop());

const answers = (thread: string) => world.answers("acme", "general", thread).filter((text) => text !== "…");
const answered = (thread: string) => world.slack.waitFor(() => answers(thread).length > 0);
const eventIds = (ts: string) =>
  world.slack.envelopes.filter((envelope) => (envelope.event as { ts?: string }).ts === ts).map((envelope) => String(envelope.event_id));

describe.each(["socket", "http"] as const)("over %s, with time", (mode) => {
  beforeEach(async () => {
    await world.stop();
    world = await World.start(patient, db);
  });

  test("H5-EVT-01: the same event four times, at once and to two processes, is answered once and acknowledged every time", async () => {
    const bots = [await world.bot({ mode }), await world.bot({ mode })];
    const ts = world.slack.post(ask);
    await answered(ts);
    for (const id of eventIds(ts)) {
      const attempts = await world.slack.redeliver(id, { times: 4, concurrently: true });
      expect(attempts.map(({ outcome }) => outcome)).toEqual(Array(4).fill("acknowledged"));
    }
    await world.idle();

    expect(answers(ts)).toEqual(["Answer to: ready?"]);
    expect(bots.flatMap((bot) => bot.questions)).toHaveLength(1);
  });

  test("an answer that takes long does not delay the acknowledgement", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await world.bot({
      mode,
      ask: async (question, sink, signal) => {
        await held;
        await echo(question, sink, signal);
      },
    });
    const ts = world.slack.post(ask);
    await world.slack.waitFor(() => eventIds(ts).every((id) => world.slack.acks.some((ack) => ack.eventId === id)));
    expect(answers(ts)).toEqual([]);
    for (const ack of world.slack.acks) {
      expect(ack.outcome).toBe("acknowledged");
    }
    release();
    await answered(ts);
  });
});

describe.each(["socket", "http"] as const)("over %s", (mode) => {
  test("when the first delivery is lost and only a retry arrives, it is answered", async () => {
    const ts = world.slack.post(ask);
    await world.slack.waitFor(() => world.slack.acks.length > 0);
    await world.bot({ mode });
    await answered(ts);
    await world.idle();

    const taken = world.slack.acks.filter((ack) => eventIds(ts).includes(ack.eventId ?? "") && ack.outcome === "acknowledged");
    expect(taken.map((ack) => ack.retry)).not.toContain(0);
    expect(answers(ts)).toEqual(["Answer to: ready?"]);
  });

  test("while the database is down nothing is acknowledged within two seconds, and the later delivery is answered once", async () => {
    let down = true;
    const failing = (turns: TenantTurns): TenantTurns =>
      turnsWith(turns, { accept: (...args) => (down ? Promise.reject(new Error("down")) : turns.accept(...args)) });
    await world.bot({ mode, turnsOf: failing });
    const ts = world.slack.post(ask);
    await world.slack.waitFor(() => world.slack.acks.length >= 2);
    for (const ack of world.slack.acks) {
      // Over HTTP it is said at once; over a socket there is no way to say so.
      expect(ack.outcome).toBe(mode === "http" ? "http_error" : "http_timeout");
    }
    expect(await world.turnCount()).toBe(0);
    down = false;
    await answered(ts);
    await world.idle();
    expect(answers(ts)).toEqual(["Answer to: ready?"]);
    expect(await world.turnCount()).toBe(1);
  });

  test("a database that hangs counts as down", async () => {
    let hangs = true;
    const hanging = (turns: TenantTurns): TenantTurns =>
      turnsWith(turns, { accept: (...args) => (hangs ? new Promise(() => undefined) : turns.accept(...args)) });
    await world.bot({ mode, turnsOf: hanging, storeWithinMs: 100 });
    const ts = world.slack.post(ask);
    if (mode === "http") {
      await world.slack.waitFor(() => world.slack.acks.length > 0);
      expect(world.slack.acks[0]).toMatchObject({ outcome: "http_error" });
    }
    hangs = false;
    await answered(ts);
  });

  test("when the installation cannot be looked up, the event is not lost either", async () => {
    let down = true;
    await world.bot({
      mode,
      installations: (stored) => ({ byTeam: (team) => (down ? Promise.reject(new Error("down")) : stored.byTeam(team)) }),
    });
    const ts = world.slack.post(ask);
    await world.slack.waitFor(() => world.slack.acks.length > 0);
    expect(world.slack.acks[0]?.outcome).not.toBe("acknowledged");
    down = false;
    await answered(ts);
  });
});

test("an event delivered again after a restart an hour later starts nothing", async () => {
  const before = await world.bot();
  const ts = world.slack.post(ask);
  await answered(ts);
  await world.idle();
  await before.stop();
  await world.db.asOwner("UPDATE turns SET created_at = created_at - interval '1 hour', finished_at = finished_at - interval '1 hour'");

  const after = await world.bot();
  for (const id of eventIds(ts)) await world.slack.redeliver(id);
  await world.idle();
  expect(after.questions).toEqual([]);
  expect(answers(ts)).toHaveLength(1);
});

test.each(["refresh_requested", "cut"] as const)("after a connection ended (%s) the bot is back in a moment and answers", async (how) => {
  await world.bot();
  world.slack.disconnect(how);
  await world.slack.waitFor(() => world.slack.connections === 0);
  const ts = world.slack.post(ask);
  await world.slack.waitFor(() => answers(ts).length > 0);
});

test("while Slack cannot be reached the process lives on, and connects again later", async () => {
  const bot = await world.bot();
  world.slack.fail({ method: "apps.connections.open", times: 3, httpStatus: 503 });
  world.slack.disconnect("cut");
  await world.slack.waitFor(() => world.slack.connections === 0);
  await world.slack.waitFor(() => world.slack.calls.filter((call) => call.method === "apps.connections.open").length >= 5);
  const ts = world.slack.post(ask);
  await answered(ts);
  expect(bot.slack.receiving).toBe(true);
});
