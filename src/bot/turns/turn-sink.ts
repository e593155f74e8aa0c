import type { AgentEvent, AnswerSink, StopCause } from "../../agent/events.ts";
import type { Clock } from "../../core/clock.ts";
import type { SlackAnswerSink } from "../ports.ts";
import type { TurnEnd } from "./turn-store.ts";

/** Stands between the agent and Slack for one try at a turn: lets exactly one end through, and notes when there last was news. */
export class TurnSink implements AnswerSink {
  readonly #inner: SlackAnswerSink;
  readonly #clock: Clock;
  #end: TurnEnd | undefined;
  #closed = false;
  #cause: StopCause | undefined;
  #shown = "";
  #newsAt: number;

  constructor(inner: SlackAnswerSink, clock: Clock) {
    this.#inner = inner;
    this.#clock = clock;
    this.#newsAt = clock.monotonic();
  }

  /** How the answer ended; undefined while it has not. */
  get end(): TurnEnd | undefined {
    return this.#end;
  }

  /** Milliseconds since the last event. */
  get quietMs(): number {
    return this.#clock.monotonic() - this.#newsAt;
  }

  /** Resolves with "stalled" when there was no news for too long; never when `signal` aborts first. */
  async stalled(mostMs: number, signal: AbortSignal): Promise<"stalled"> {
    while (this.quietMs < mostMs) {
      await this.#clock.sleep(Math.max(1, mostMs - this.quietMs), signal).catch(() => new Promise<never>(() => undefined));
    }
    return "stalled";
  }

  /** From now on an end by being stopped says why. */
  stopping(cause: StopCause | undefined): void {
    this.#cause = cause;
  }

  /** Ends the answer as stopped, with what there is of it, unless it has ended. */
  async stop(): Promise<void> {
    await this.write({ type: "answer-stopped", text: this.#shown });
  }

  /** From now on nothing is passed on: an abort by us must not end the answer for the process that goes on with it. */
  seal(): void {
    this.#closed = true;
  }

  /** Nor is anything written that was passed on before: the answer is not ours any more. */
  close(): void {
    this.#closed = true;
    this.#inner.close?.();
  }

  async write(event: AgentEvent): Promise<void> {
    if (this.#closed || this.#end) return;
    this.#newsAt = this.#clock.monotonic();
    if (event.type === "text-delta") this.#shown += event.text;
    if (event.type === "text-reset") this.#shown = "";
    const told = event.type === "answer-stopped" && this.#cause ? { ...event, cause: this.#cause } : event;
    this.#end = endOf(told);
    await this.#inner.write(told);
  }

  /** Resolves when Slack has everything; rejects when Slack refuses for good. */
  settled(): Promise<void> {
    return this.#inner.settled();
  }
}

function endOf(event: AgentEvent): TurnEnd | undefined {
  switch (event.type) {
    case "answer-end":
      return { status: "answered", answer: event.text };
    case "answer-stopped":
      return { status: event.cause?.kind === "question-deleted" ? "cancelled" : "stopped", answer: event.text };
    case "answer-error":
      return { status: "failed", errorCode: event.code };
    default:
      return undefined;
  }
}
