import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { AgentEvent } from "../../src/agent/events.ts";
import type { TenantTurns, TurnQueue } from "../../src/bot/turns/turn-store.ts";
import { traceId } from "../../src/core/ids.ts";
import { type Ask, echo, gone, queueWith, takingAtMost, turnsWith, until, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());
beforeEach(async () => {
  world = await World.start({}, db);
});
afterEach(() => world?.stop());

const limits = { leaseMs: 2_000, pollMs: 100, abortMs: 200 };
const never = () => new Promise<never>(() => undefined);
const question = { workspace: "acme", as: "alice", channel: "general", text: "@footnote how long?" };

const said: readonly AgentEvent[] = [
  { type: "answer-start", traceId: traceId("t") },
  { type: "text-delta", text: "The leave is " },
  { type: "text-delta", text: "sixteen weeks." },
];
/** Gets as far as the first `count` events, then is gone. */
const dyingAfter =
  (count: number): Ask =>
  async (_question, sink) => {
    for (const event of said.slice(0, count)) await sink.write(event);
    await never();
  };
const ending: Ask = async (asked, sink, signal) => {
  for (const event of said) await sink.write(event);
  await echo(asked, sink, signal);
};

/** Each place where a worker can be gone: before and after every write to the database, and in the middle of the answer. */
const boundaries: readonly [string, Ask, (turns: TenantTurns) => TenantTurns][] = [
  ["before the turn was taken from the queue and begun", ending, (turns) => turnsWith(turns, { start: never })],
  [
    "after the turn was taken from the queue and begun",
    ending,
    (turns) => turnsWith(turns, { start: async (lease) => (await turns.start(lease)) && never() }),
  ],
  [
    "after the question was stored and begun in one",
    ending,
    (turns) => {
      const accept: TenantTurns["accept"] = async (...args) => {
        const accepted = await turns.accept(...args);
        return typeof accepted === "string" ? accepted : "queued";
      };
      return turnsWith(turns, { accept });
    },
  ],
  ["before the first event", dyingAfter(0), (turns) => turns],
  ["after the first event", dyingAfter(1), (turns) => turns],
  ["in the middle of the text", dyingAfter(2), (turns) => turns],
  ["after the text, before its end", dyingAfter(3), (turns) => turns],
  [
    "before a look into the journal",
    ending,
    (turns) => turnsWith(turns, { journal: (lease) => ({ ...turns.journal(lease), posted: never }) }),
  ],
  [
    "after a post, before it was noted",
    ending,
    (turns) => turnsWith(turns, { journal: (lease) => ({ ...turns.journal(lease), note: never }) }),
  ],
  [
    "after a post was noted",
    ending,
    (turns) =>
      turnsWith(turns, {
        journal: (lease) => {
          const journal = turns.journal(lease);
          return { ...journal, note: (part, ts) => journal.note(part, ts).then(never) };
        },
      }),
  ],
  ["after the answer, before its end was stored", ending, (turns) => turnsWith(turns, { finish: never })],
  [
    "after its end was stored",
    ending,
    (turns) => turnsWith(turns, { finish: async (lease, end) => (await turns.finish(lease, end)) && never() }),
  ],
];

const waiting = async () => (await world.db.asOwner("SELECT FROM turn_queue WHERE lease_token IS NULL")).length;

test.each(boundaries)("a worker that is gone %s: the question is answered once, in one message", async (name, ask, turnsOf) => {
  const queues = name.includes("from the queue");
  const dead = await world.bot({
    ask,
    turnsOf,
    queue: (queue) => takingAtMost(queues ? 1 : 0, gone(queue)),
    realSink: true,
    limits,
    queues,
  });
  const ts = world.slack.post(question);
  await until(() => world.slack.acks.length >= 2);
  while ((await waiting()) > 0) await world.clock.sleep(10);
  // It takes nothing new on, but goes on with what it has until its lease runs out.
  void dead.turns.stop({ graceMs: 60_000 });
  // However slow the machine, this one loses no lease.
  await world.bot({ realSink: true, limits: { pollMs: 100, abortMs: 200 } });
  await world.slack.waitFor(() => world.answers("acme", "general", ts).some((text) => text.includes("Answer to: how long?")));
  await world.idle();

  expect(world.answers("acme", "general", ts)).toHaveLength(1);
  const [turn] = await world.db.asOwner<{ status: string }>("SELECT status FROM turns");
  expect(turn).toEqual({ status: "answered" });
});

test("an answer that no worker survives is marked as interrupted, with a Retry button that then works", async () => {
  let deadly = true;
  const fatal: Ask = (asked, sink, signal) => (deadly ? dyingAfter(2)(asked, sink, signal) : ending(asked, sink, signal));
  const goneAtFirst = (queue: TurnQueue) =>
    queueWith(queue, {
      renew: (...args) => (deadly ? never() : queue.renew(...args)),
      release: (...args) => (deadly ? never() : queue.release(...args)),
    });
  await world.bot({ ask: fatal, queue: goneAtFirst, realSink: true, limits });
  const ts = world.slack.post(question);
  const shown = () =>
    world.slack
      .messages({ workspace: "acme", channel: "general", thread: ts })
      .filter(({ userId }) => userId !== world.slack.workspace("acme").person("alice"));
  const message = await world.slack.waitFor(() => shown().find(({ blocks }) => JSON.stringify(blocks).includes("retry_turn")));
  expect(JSON.stringify(message.blocks)).toMatch(/interrupted/i);
  expect(shown()).toHaveLength(1);
  await world.idle();

  deadly = false;
  await world.slack.click({ workspace: "acme", as: "alice", channel: "general", ts: message.ts, actionId: "retry_turn" });
  await world.slack.waitFor(() => world.answers("acme", "general", ts).some((text) => text.includes("Answer to: how long?")));
  await world.idle();
  expect(shown()).toHaveLength(1);
  expect(JSON.stringify(shown()[0]?.blocks)).not.toContain("retry_turn");
});
