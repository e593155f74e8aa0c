import type { AgentEvent, AnswerSink } from "../agent/events.ts";
import { printable } from "./printable.ts";

/** The part of a stream that the terminal needs. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of the terminal in characters. */
  readonly columns?: number;
  /** Whether it shows colours, and nobody asked for none (NO_COLOR). */
  hasColors?(): boolean;
}

/** Shows an answer to a person at a terminal: activity on the side channel (standard error), the text itself on standard output. */
export class TerminalSink implements AnswerSink {
  readonly #out: Output;
  readonly #side: Output;
  #written = "";

  constructor(out: Output, side: Output) {
    this.#out = out;
    this.#side = side;
  }

  write(event: AgentEvent): void {
    switch (event.type) {
      case "tool-start":
        this.#aside(`… ${event.label}`);
        break;
      case "tool-end":
        this.#aside(`${event.result.status === "success" ? "✓" : "✗"} ${event.label}${counted(event)} (${Math.round(event.ms)} ms)`);
        break;
      case "notice":
        this.#aside(`! ${event.text}`);
        break;
      case "text-delta":
        // A pipe gets the final text once; a person watches it arrive.
        if (this.#out.isTTY) this.#out.write(printable(event.text));
        this.#written += event.text;
        return;
      case "text-reset":
        if (this.#written && this.#out.isTTY) this.#out.write("\n");
        this.#written = "";
        return;
      case "answer-end":
      case "answer-stopped":
        this.#finish(event.text);
        break;
      case "answer-error":
        this.#aside(`✗ ${event.message}`);
        break;
      case "sources-ready":
      case "answer-start":
      case "step-start":
      case "message-added":
      case "tool-progress":
        return;
      default:
        event satisfies never;
    }
  }

  #finish(text: string): void {
    if (!this.#out.isTTY) this.#out.write(printable(text));
    else if (text !== this.#written) this.#out.write(`\n${printable(text)}`);
    this.#out.write("\n");
  }

  #aside(line: string): void {
    this.#side.write(`${printable(line)}\n`);
  }
}

function counted(event: Extract<AgentEvent, { type: "tool-end" }>): string {
  const { result } = event;
  if (result.status !== "success") return `: ${result.error?.message ?? result.status}`;
  return result.metadata.count === undefined ? "" : `: ${result.metadata.count} found`;
}
