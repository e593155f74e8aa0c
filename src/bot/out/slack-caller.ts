import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { type SlackFailure, slackFailure } from "./slack-failure.ts";
import type { BudgetedCall, WorkspaceBudget } from "./workspace-budget.ts";

/** A call to Slack that waits for its turn. */
export interface PatientCall<Content, Result> extends BudgetedCall {
  /** Asked for at the moment of sending, after any wait, so that what is sent is never out of date. Undefined: nothing to send any more. */
  content(): Content | undefined;
  send(content: Content): Promise<Result>;
  /** After a failure of unknown outcome: the result, if Slack did it after all. Without this function such a failure is final. */
  lookUp?(): Promise<Result | undefined>;
}

/** Seconds between tries after a failure of which the outcome is unknown. */
const backoff = [0.5, 1, 2, 4, 8] as const;

/** Makes one workspace's calls within its budget. */
export class SlackCaller {
  readonly budget: WorkspaceBudget;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** Asked before each call whether it may be made; rejects when not. */
  readonly allowed: () => Promise<void> | undefined;

  constructor(budget: WorkspaceBudget, clock: Clock, log: Logger, allowed: SlackCaller["allowed"] = () => undefined) {
    this.budget = budget;
    this.#clock = clock;
    this.#log = log;
    this.allowed = allowed;
  }

  /**
   * Calls until Slack took it or refused: waits for the budget and for Retry-After, tries again after failures without an answer.
   * Throws SlackFailure, never for a rate limit.
   */
  async persist<Content, Result>(call: PatientCall<Content, Result>, signal?: AbortSignal): Promise<Result | undefined> {
    for (let failures = 0; ; ) {
      await this.budget.take(call, signal);
      // The wait may have been long: asked last, so that nothing lies between the answer and the call.
      await this.allowed();
      const content = call.content();
      if (content === undefined) return undefined;
      try {
        return await call.send(content);
      } catch (thrown) {
        const failure = this.noted(call, thrown);
        if (failure.kind === "rate-limited") continue;
        const wait = backoff[failures++];
        if (failure.kind !== "transient" || wait === undefined || !call.lookUp) throw failure;
        await this.#clock.sleep(wait * 1_000, signal);
        const found = await call.lookUp().catch(unlessUseless);
        if (found !== undefined) return found;
      }
    }
  }

  /** Sorts a failure and keeps what it means for the budget. */
  noted(call: BudgetedCall, thrown: unknown): SlackFailure {
    const failure = slackFailure(thrown);
    this.#log.warn("Slack refused a call", { method: call.method, code: failure.code });
    if (failure.kind === "rate-limited") this.budget.limited(call, failure.retryAfter);
    return failure;
  }
}

/** A thread that cannot be read cannot show a doubled post either; better twice than silence. */
function unlessUseless(thrown: unknown): undefined {
  if (slackFailure(thrown).kind !== "refused") throw thrown;
}
