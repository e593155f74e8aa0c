import type { Clock } from "../../../src/core/clock.ts";

/**
 * A clock for a Slack in this process and whoever writes to it: time passes only while everybody waits for it, and then at once. Pauses of
 * minutes take no time, and nothing is late because the machine is busy.
 */
export class LeapClock implements Clock {
  readonly #begun = Date.now();
  #ms = 0;
  #sleepers: { at: number; wake: () => void }[] = [];
  /** Calls on their way that wait for something else than time. */
  #busy = 0;
  #freed: () => void = () => undefined;
  #leaping = false;

  now = (): Date => new Date(this.#begun + this.#ms);
  monotonic = (): number => this.#ms;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { at: this.#ms + Math.max(0, ms), wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
      if (!this.#leaping) void this.#leap();
    });

  /** Time stands still until the work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work();
    } finally {
      this.#free();
    }
  }

  /** The same time for whoever is called: while they sleep, their caller waits for time. */
  get called(): Clock {
    const sleep = (ms: number, signal?: AbortSignal) => {
      this.#free();
      return this.sleep(ms, signal).finally(() => this.#busy++);
    };
    return { now: this.now, monotonic: this.monotonic, sleep };
  }

  #free(): void {
    if (--this.#busy <= 0) this.#freed();
  }

  async #leap(): Promise<void> {
    this.#leaping = true;
    while (this.#sleepers.length > 0) {
      for (let calm = 0; calm < CALM_TURNS; calm++) {
        await settled();
        if (this.#busy <= 0) continue;
        await new Promise<void>((resolve) => {
          this.#freed = resolve;
        });
        calm = 0;
      }
      const [next] = this.#sleepers.sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#ms = Math.max(this.#ms, next.at);
      next.wake();
    }
    this.#leaping = false;
  }
}

/** Turns of the event loop in which nobody makes a call, after which everybody waits for time. */
const CALM_TURNS = 4;

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
