import type { Clock } from "./clock.ts";
import { AppError } from "./errors.ts";

export interface WakingLoopParts {
  readonly clock: Clock;
  /** How long it rests between two rounds, unless it is woken. */
  readonly restMs: number;
  /** One round. What it throws ends this round alone: it is for `round` to tell. */
  round(signal: AbortSignal): Promise<void>;
}

/** Work in the background that is looked for again and again, and at once when somebody knows of some. */
export class WakingLoop {
  readonly #parts: WakingLoopParts;
  readonly #stop = new AbortController();
  #woken = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: WakingLoopParts) {
    this.#parts = parts;
  }

  /** Aborts when the work is to end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  start(): void {
    this.#running ??= this.#work();
  }

  /** Resolves when the round at hand has given up. */
  async stop(): Promise<void> {
    this.#stop.abort(new AppError("CANCELLED"));
    await this.#running;
  }

  /** There is something to do: the next round begins now, or right after the one at hand. */
  wake(): void {
    this.#woken.abort();
  }

  async #work(): Promise<void> {
    const { clock, restMs, round } = this.#parts;
    const { signal } = this;
    while (!signal.aborted) {
      this.#woken = new AbortController();
      await round(signal).catch(() => undefined);
      await clock.sleep(restMs, AbortSignal.any([signal, this.#woken.signal])).catch(() => undefined);
    }
  }
}
