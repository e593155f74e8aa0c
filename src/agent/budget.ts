import type { Clock } from "../core/clock.ts";
import type { Limits } from "./limits.ts";
import type { ToolCall, Usage } from "./model/model.ts";

/** What one answer has used up. Says when it is time to finish, and why. */
export class Budget {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #started: number;
  #wallMs: number;
  #calls = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #repeated = false;
  #refusedCalls = false;
  /** Input and output together; what a template allows. */
  #mostTokens = Number.POSITIVE_INFINITY;
  readonly #seen = new Map<string, number>();
  /** Calls that wait for a person now, and since when there are any. */
  #waiting = 0;
  #waitingSince = 0;

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#started = clock.monotonic();
    this.#wallMs = limits.wallMs;
  }

  /** Milliseconds until the answer must be brought to its end; never negative. */
  get msLeft(): number {
    const now = this.#clock.monotonic();
    return Math.max(0, this.#started + this.#wallMs + (this.#waiting > 0 ? now - this.#waitingSince : 0) - now);
  }

  /** Input tokens that later model calls may still use. */
  get inputLeft(): number {
    return Math.max(0, Math.min(this.#limits.inputTokens - this.#inputTokens, this.#tokensLeft));
  }

  get outputLeft(): number {
    return Math.max(0, Math.min(this.#limits.outputTokens - this.#outputTokens, this.#tokensLeft));
  }

  get #tokensLeft(): number {
    return this.#mostTokens - this.#inputTokens - this.#outputTokens;
  }

  /** Allows the answer no more tokens than this, input and output together; the other limits stay. */
  narrow(tokens: number) {
    this.#mostTokens = Math.min(this.#mostTokens, tokens);
  }

  /** A tool that was granted more than the usual time extends the answer's own time, up to a bound. */
  extendFor(toolMs: number) {
    if (toolMs > this.#limits.toolMs) this.#wallMs = Math.min(this.#limits.longestWallMs, this.#wallMs + toolMs);
  }

  /**
   * A person is waited for from now on, which does not count against the answer. Several calls that wait at the same time wait for the same
   * time. @returns to be called when this wait is over
   */
  wait(): () => void {
    if (this.#waiting++ === 0) this.#waitingSince = this.#clock.monotonic();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#waiting === 0) this.#wallMs += this.#clock.monotonic() - this.#waitingSince;
    };
  }

  spend({ inputTokens, outputTokens }: Usage) {
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
  }

  /** Whether a call may run, as "yes", or why not. Counts it when it may. */
  admit(call: ToolCall): "yes" | "repeated" | "too-many" {
    const key = `${call.name} ${call.invalid ?? stable(call.params)}`;
    const times = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, times);
    if (times >= this.#limits.identicalCalls) {
      this.#repeated = true;
      return "repeated";
    }
    if (this.#calls >= this.#limits.calls) {
      this.#refusedCalls = true;
      return "too-many";
    }
    this.#calls += 1;
    return "yes";
  }

  /** Why the answer must be finished now, as a sentence for people; nothing while there is room. */
  reached(step: number): string | undefined {
    const { steps, calls, wallMs, inputTokens, outputTokens } = this.#limits;
    if (this.#repeated) return ended("the same search was asked for again and again");
    if (this.#refusedCalls || this.#calls >= calls) return ended(`the limit of ${calls} tool calls was reached`);
    if (step >= steps) return ended(`the limit of ${steps} steps was reached`);
    if (this.msLeft <= 0) return ended(`the limit of ${Math.round(Math.max(wallMs, this.#wallMs) / 1000)} seconds was reached`);
    if (this.#inputTokens >= inputTokens || this.#outputTokens >= outputTokens || this.#tokensLeft <= 0)
      return ended("the token budget was used up");
    return undefined;
  }
}

const ended = (because: string): string => `Answered from what was found so far, because ${because}.`;

/** JSON with sorted keys: the same arguments in another order are the same call. */
function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? "{}"
  );
}
