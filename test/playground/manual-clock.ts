import type { Clock } from "../../src/core/clock.ts";

/** A clock that stands still until the test moves it; whoever sleeps wakes when their time has come. */
export class ManualClock implements Clock {
  #ms = 0;
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  now(): Date {
    return new Date(1_800_000_000_000 + this.#ms);
  }

  monotonic(): number {
    return this.#ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.#ms + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.#ms += ms;
    for (const sleeper of [...this.#sleepers]) {
      if (sleeper.at > this.#ms) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
