import { type Clock, systemClock } from "../../../src/core/clock.ts";

/** A clock that runs `factor` times as fast as the real one, for rules that are about seconds and minutes. */
export const quickClock = (factor: number): Clock => ({
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * factor,
  sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
});

/** A clock that stands still until a test moves it. Sleepers wake in order of their time. */
export class ManualClock implements Clock {
  #ms = 0;
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): Date {
    return new Date(this.#ms);
  }

  monotonic(): number {
    return this.#ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.#ms + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Lets time pass, waking everybody whose time comes, and everything that follows from it. */
  async pass(ms: number): Promise<void> {
    const end = this.#ms + ms;
    for (;;) {
      await settled();
      const next = this.#sleepers.sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#ms = Math.max(this.#ms, next.at);
      this.#sleepers.shift();
      next.wake();
    }
    this.#ms = end;
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
