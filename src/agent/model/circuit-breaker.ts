import type { Clock } from "../../core/clock.ts";

/** Failures in a row that open it. An answer makes at most three attempts, so two unlucky answers are enough. */
const FAILURES_TO_OPEN = 5;
/** How long a server that is down is left alone, in milliseconds. */
const OPEN_MS = 30_000;

/**
 * Remembers that one server is down, so that answers do not each wait for it: after five failures in a row requests are refused
 * for 30 s, then a single one may try, and what becomes of it decides. Each request that `allows` let through is reported once.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntil: number | undefined;
  #trying = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a request may be made now. */
  allows(): boolean {
    if (this.#openUntil === undefined) return true;
    if (this.#trying || this.#clock.monotonic() < this.#openUntil) return false;
    this.#trying = true;
    return true;
  }

  /** "alive": the server answered, be it with a refusal. "down": it did not. "unknown": the request was given up on our side. */
  report(server: "alive" | "down" | "unknown") {
    this.#trying = false;
    if (server === "unknown") return;
    this.#failures = server === "down" ? this.#failures + 1 : 0;
    this.#openUntil = this.#failures >= FAILURES_TO_OPEN ? this.#clock.monotonic() + OPEN_MS : undefined;
  }
}
