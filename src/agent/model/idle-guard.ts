import type { Clock } from "../../core/clock.ts";

const over = new Error("The reply is over.");

/** Calls `onSilence` when nothing has arrived for a while, measured from the last arrival. One timer for a whole reply. */
export class IdleGuard {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #last: number;
  /** Whether it has called. */
  silent = false;

  /** @param ms milliseconds of silence that count as hung */
  constructor(ms: number, clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#last = clock.monotonic();
    void this.#watch(ms, onSilence);
  }

  /** Something has arrived. */
  touch() {
    this.#last = this.#clock.monotonic();
  }

  close() {
    this.#stop.abort(over);
  }

  async #watch(ms: number, onSilence: () => void) {
    try {
      for (let left = ms; left > 0; left = this.#last + ms - this.#clock.monotonic()) await this.#clock.sleep(left, this.#stop.signal);
    } catch {
      return;
    }
    this.silent = true;
    onSilence();
  }
}
