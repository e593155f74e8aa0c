import { expect, test } from "@jest/globals";
import { Leases } from "../../../src/bot/turns/leases.ts";
import { momentOf } from "../../../src/bot/turns/moment.ts";
import { TurnRun } from "../../../src/bot/turns/turn-run.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { channelId, messageTs, personId, tenantId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { until } from "../../fakes/until.ts";

const lease = { turn: turnId("t"), tenant: tenantId("acme"), token: "x", attempt: 1 };
const turn = { id: lease.turn, channel: channelId("C1"), thread: messageTs("1.1"), ts: messageTs("1.1"), person: personId("U1") };

/** A worker that is told to hand over while a message is on its way to Slack. @returns what happened, in order, and the means to let it arrive */
async function leaving(abortMs: number) {
  const events: string[] = [];
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const parts = {
    queue: { release: async () => void events.push("released"), postpone: async () => undefined },
    turnsOf: () => ({ journal: () => ({ posted: async () => [], note: async () => undefined }) }) as never,
    prepare: async () => ({ kind: "ask", text: "?" }) as const,
    ask: (_question: unknown, _sink: unknown, signal: AbortSignal) => {
      events.push("asked");
      return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
    openSink: () => ({
      write: () => undefined,
      settled: () => arrived.then(() => void events.push("arrived")),
      close: () => void events.push("closed"),
    }),
    clock: systemClock,
    log: silentLogger,
  };
  const leases = new Leases({ ...parts, queue: { renew: async () => new Map() }, leaseMs: 600_000 });
  const limits = { maxAttempts: 2, stallMs: 600_000, abortMs, stopMs: 1 };
  const run = new TurnRun(lease, leases, momentOf(systemClock), parts, limits, {
    ...turn,
    text: "?",
    earlierAttempts: 0,
    joinsThread: false,
  });
  await until(() => events.includes("asked"));
  run.handOver();
  return { run, events, arrive };
}

test("an answer is handed over only when the message that is on its way to Slack has arrived: the next process would post it again", async () => {
  const { run, events, arrive } = await leaving(600_000);
  arrive();
  await run.done;
  expect(events).toContain("arrived");
  expect(events.indexOf("arrived")).toBeLessThan(events.indexOf("released"));
});

test("while nobody knows whether it has arrived, the lease is left to run out", async () => {
  const { run, events } = await leaving(1);
  await until(() => events.includes("closed"));
  await run.done;
  expect(events).toEqual(["asked", "closed"]);
});
