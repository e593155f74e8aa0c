import type { AgentEvent, AnswerSink } from "../../agent/events.ts";
import type { Clock } from "../../core/clock.ts";
import type { SlackAnswerSink } from "../ports.ts";
import type { TurnEnd } from "./turn-store.ts";

/** Stands between the agent and Slack for one try at a turn: lets exactly one end through, and notes when there last was news. */
export class TurnSink implements AnswerSink {
  readonly #inner: SlackAnswerSink;
  readonly #clock: Clock;
  #end: TurnEnd | undefined;
  #closed = false;
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
    this.#end = endOf(event);
    await this.#inner.write(event);
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
      return { status: "answered", answer: event.text, errorCode: "STOPPED" };
    case "answer-error":
      return { status: "failed", errorCode: event.code };
    default:
      return undefined;
  }
}
