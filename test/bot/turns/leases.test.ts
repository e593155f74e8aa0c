import { expect, test } from "@jest/globals";
import type { WebClient } from "@slack/web-api";
import type { AgentEvent, AnswerSink } from "../../../src/agent/events.ts";
import { SlackStream } from "../../../src/bot/out/slack-stream.ts";
import { SlackWriter } from "../../../src/bot/out/slack-writer.ts";
import { WorkspaceBudget } from "../../../src/bot/out/workspace-budget.ts";
import { Leases } from "../../../src/bot/turns/leases.ts";
import { momentOf } from "../../../src/bot/turns/moment.ts";
import type { Claim, ClaimWish, Lease, Renewed, TenantTurns, TurnQueue } from "../../../src/bot/turns/turn-store.ts";
import { Turns } from "../../../src/bot/turns/turns.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { channelId, type MessageTs, messageTs, personId, tenantId, traceId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { ManualClock } from "../out/quick-clock.ts";

const leaseMs = 15_000;
const lease = { turn: turnId("t"), tenant: tenantId("acme"), token: "1", attempt: 1 };
const place = { channel: channelId("C1"), thread: messageTs("1.1"), ts: messageTs("1.1"), person: personId("U1") };

/** A process that can be too busy, or asleep: no timer of it goes off then, though time passes, and what it is called for it does. */
class DrowsyClock implements Clock {
  readonly #time: Clock;
  #awake: Promise<void> = Promise.resolve();
  wake: () => void = () => undefined;

  constructor(time: Clock) {
    this.#time = time;
  }

  now = () => this.#time.now();
  monotonic = () => this.#time.monotonic();
  sleep = async (ms: number, signal?: AbortSignal) => {
    await this.#time.sleep(ms, signal);
    await this.#awake;
  };

  doze(): void {
    this.#awake = new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

/** One question in a queue, and the memory of its answer, as a database keeps them: by its own clock and under tokens. */
class OneQuestion {
  readonly #time: Clock;
  readonly noted: MessageTs[] = [];
  readonly tries: string[] = [];
  readonly ends: (string | undefined)[] = [];
  #token = 0;
  #until = 0;
  reachable = true;

  constructor(time: Clock) {
    this.#time = time;
  }

  queue(worker: string): TurnQueue {
    const nothing = async () => undefined;
    return {
      claim: async ({ leaseMs: length, except }: ClaimWish): Promise<readonly Claim[]> => {
        if (this.ends.length > 0 || this.#time.monotonic() < this.#until || except.includes(lease.turn)) return [];
        this.#token += 1;
        this.#until = this.#time.monotonic() + length;
        this.tries.push(worker);
        return [{ ...lease, token: String(this.#token), attempt: this.#token, moreWait: false }];
      },
      renew: async (leases: readonly Lease[], length: number) => {
        if (!this.reachable) throw new Error("down");
        const ours = leases.filter((asked) => this.#holds(asked));
        if (ours.length > 0) this.#until = this.#time.monotonic() + length;
        return new Map(ours.map(({ token }): [string, Renewed] => [token, "renewed"]));
      },
      ...{ release: nothing, postpone: nothing, halted: async () => [] },
    };
  }

  turns(): TenantTurns {
    return {
      start: async (held: Lease) => ({ ...place, id: lease.turn, text: "?", earlierAttempts: held.attempt - 1, joinsThread: false }),
      journal: () => ({ posted: async () => this.noted, note: async (part: number, ts: MessageTs) => void this.noted.splice(part, 1, ts) }),
      finish: async (held: Lease, { answer }: { answer?: string }) => this.#holds(held) && this.ends.push(answer) > 0,
    } as Partial<TenantTurns> as TenantTurns;
  }

  #holds({ token }: Lease): boolean {
    return this.ends.length === 0 && token === String(this.#token);
  }
}

/** A thread in Slack: what was written there, in order. */
class Thread {
  readonly written: string[] = [];
  readonly client = {
    chat: {
      postMessage: async ({ text }: { text: string }) => ({ ok: true, ts: `2.${this.written.push(text)}` }),
      update: async ({ text }: { text: string }) => ({ ok: true, ts: `2.${this.written.push(text)}` }),
    },
    conversations: { replies: async () => ({ ok: true, messages: [] }) },
  } as unknown as WebClient;
}

class World {
  readonly time = new ManualClock();
  readonly question = new OneQuestion(this.time);
  readonly thread = new Thread();

  /** A process that works the question off. `say` lets its model say something. */
  worker(name: string) {
    const clock = new DrowsyClock(this.time);
    let sink: AnswerSink | undefined;
    let ended: () => void = () => undefined;
    const turns = new Turns({
      queue: this.question.queue(name),
      turnsOf: () => this.question.turns(),
      prepare: async () => ({ kind: "ask", text: "?" }),
      ask: async (_question, given) => {
        sink = given;
        await given.write({ type: "answer-start", traceId: traceId("x") });
        await new Promise<void>((resolve) => {
          ended = resolve;
        });
      },
      openSink: (target, journal) => {
        const writer = new SlackWriter(this.thread.client, new WorkspaceBudget(clock, 1_000), clock, silentLogger);
        return new SlackStream(target, journal, { writer, clock, log: silentLogger, streaming: false });
      },
      clock,
      log: silentLogger,
    });
    turns.start();
    const say = async (event: AgentEvent) => {
      await sink?.write(event);
      if (event.type === "answer-end") ended();
      await this.time.pass(1_000);
    };
    return { turns, clock, say };
  }
}

const end = (text: string): AgentEvent => ({ type: "answer-end", text, outcome: "answered" });
const draft = (text: string): AgentEvent => ({ type: "text-delta", text: `${text}.\n\n` });

test("a process that was too busy to renew its leases writes nothing more once another one may have gone on, before any timer tells it", async () => {
  const world = new World();
  const busy = world.worker("busy");
  await world.time.pass(1_000);
  await busy.say(draft("The beginning"));
  busy.clock.doze();
  await world.time.pass(leaseMs + 5_000);
  const other = world.worker("other");
  await world.time.pass(1_000);
  await other.say(end("The answer."));
  expect(world.question.ends).toEqual(["The answer."]);

  const shown = [...world.thread.written];
  expect(shown.at(-1)).toContain("The answer.");
  await busy.say(end("The same answer once more."));
  busy.clock.wake();
  await world.time.pass(60_000);
  expect(world.thread.written).toEqual(shown);
  expect([world.question.tries, world.question.ends, busy.turns.running]).toEqual([["busy", "other"], ["The answer."], 0]);
});

test("when nobody has gone on in its place, it ends its own answer: what it would write waits until the database has said so", async () => {
  const world = new World();
  const busy = world.worker("busy");
  await world.time.pass(1_000);
  await busy.say(draft("The beginning"));
  busy.clock.doze();
  await world.time.pass(leaseMs + 5_000);
  const before = [...world.thread.written];
  world.question.reachable = false;
  await busy.say(end("The answer."));
  expect(world.thread.written).toEqual(before);
  world.question.reachable = true;
  busy.clock.wake();
  await world.time.pass(5_000);
  expect(world.thread.written.at(-1)).toContain("The answer.");
  expect([world.question.tries, world.question.ends, busy.turns.running]).toEqual([["busy"], ["The answer."], 0]);
});

test("a process does not begin a second time what it is still at work on, though the lease ran out while the database was away", async () => {
  const world = new World();
  const worker = world.worker("worker");
  await world.time.pass(1_000);
  await worker.say(draft("The beginning"));
  world.question.reachable = false;
  await world.time.pass(leaseMs + 5_000);
  expect(world.question.tries).toEqual(["worker"]);
  world.question.reachable = true;
  await world.time.pass(2_000);
  await worker.say(end("The answer."));
  expect([world.question.tries, world.question.ends, world.thread.written.length > 1]).toEqual([["worker"], ["The answer."], true]);
});

test("an answer of which the database says nothing for twice the length of its lease is given up", async () => {
  const world = new World();
  const worker = world.worker("worker");
  await world.time.pass(1_000);
  world.question.reachable = false;
  await world.time.pass(leaseMs * 2 - 2_000);
  expect(worker.turns.running).toBe(1);
  await world.time.pass(leaseMs);
  // Its own attempt is over, and the queue gives the question out again: to this process, which is the only one.
  expect(world.question.tries).toEqual(["worker", "worker"]);
});

test("the leases of two hundred answers are renewed by one statement a third of a lease, those that are another's are told, others are not", async () => {
  const time = new ManualClock();
  const rounds: number[] = [];
  const taken = new Set(["7", "8"]);
  const renew = async (leases: readonly Lease[]) => {
    rounds.push(leases.length);
    return new Map(leases.filter(({ token }) => !taken.has(token)).map(({ token }): [string, Renewed] => [token, "renewed"]));
  };
  const leases = new Leases({ queue: { renew }, leaseMs, clock: time, log: silentLogger });
  const lost: string[] = [];
  const kept = Array.from({ length: 200 }, (_, i) =>
    leases.keep({ ...lease, token: String(i) }, momentOf(time), () => void lost.push(String(i))),
  );
  await time.pass(leaseMs * 10);
  expect([rounds.length, rounds[0], rounds.at(-1), lost]).toEqual([30, 200, 198, ["7", "8"]]);
  const doubts = kept.flatMap((one) => one.stillOurs() ?? []);
  expect(await Promise.allSettled(doubts)).toMatchObject(Array(2).fill({ status: "rejected", reason: { code: "LEASE_LOST" } }));
  for (const one of kept) one.drop();
  await time.pass(leaseMs * 10);
  expect(rounds).toHaveLength(30);
});

test("a machine that was suspended is in doubt of its leases, though its monotonic clock stood still", async () => {
  const time = new ManualClock();
  let suspendedMs = 0;
  const clock: Clock = {
    now: () => new Date(time.now().getTime() + suspendedMs),
    monotonic: () => time.monotonic(),
    sleep: (ms, signal) => time.sleep(ms, signal),
  };
  let answer: (renewed: ReadonlyMap<string, Renewed>) => void = () => undefined;
  const renew = () =>
    new Promise<ReadonlyMap<string, Renewed>>((resolve) => {
      answer = resolve;
    });
  const kept = new Leases({ queue: { renew }, leaseMs, clock, log: silentLogger }).keep(lease, momentOf(clock), () => undefined);
  expect(kept.stillOurs()).toBeUndefined();
  suspendedMs = 3_600_000;
  let confirmed = false;
  const waiting = kept.stillOurs()?.then(() => {
    confirmed = true;
  });
  await time.pass(leaseMs);
  expect(confirmed).toBe(false);
  answer(new Map([["1", "renewed"]]));
  await waiting;
  expect([confirmed, kept.stillOurs()]).toEqual([true, undefined]);
  kept.drop();
});
