import { expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { WakingLoop } from "../../src/core/waking-loop.ts";
import { until } from "../fakes/until.ts";

/** Rests for ever, unless it is woken or stopped. */
const clock = { ...systemClock, sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(2 ** 30, signal) };

test("a round follows at once when it is woken, also in the middle of one; what a round throws ends that round alone; stop waits for it", async () => {
  const ends: (() => void)[] = [];
  let rounds = 0;
  const round = () =>
    new Promise<void>((resolve, reject) => {
      rounds += 1;
      ends.push(rounds === 1 ? () => reject(new Error("the first one fails")) : resolve);
    });
  const loop = new WakingLoop({ clock, restMs: 1, round });
  loop.start();
  loop.start();
  await until(() => rounds === 1);
  loop.wake();
  loop.wake();
  ends.shift()?.();
  await until(() => rounds === 2);
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([stopped, loop.signal.aborted]).toEqual([false, true]);
  ends.shift()?.();
  await stopping;
  loop.wake();
  expect(rounds).toBe(2);
});
