import { messageOf } from "../core/errors.ts";
import type { Answering } from "./answering.ts";
import { within } from "./deadline.ts";
import { estimateTokens } from "./memory/tokens.ts";
import type { ModelEvent, ModelFailure, ModelRequest, ToolCall, Usage } from "./model/model.ts";

/** What one model call brought. */
export interface Turn {
  /** What people have seen of it: markers checked, whole characters. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly failure?: ModelFailure;
  /** "timeout": the answer's time was over; "too-long": the answer's length was reached; "filtered" and "length" come from the model. */
  readonly end: "done" | "timeout" | "aborted" | "failed" | "too-long" | "length" | "filtered" | "no-calls";
}

/** One call of the model within `ms` milliseconds. Its text is passed on as it comes. Never throws. */
export async function modelTurn(answering: Answering, request: ModelRequest, ms: number): Promise<Turn> {
  const { model, clock, signal, emit, trace, budget } = answering;
  const reply = new Reply(answering);
  const started = clock.monotonic();
  const bounded = await within(ms, clock, signal, async (own) => {
    try {
      for await (const event of model.stream(request, own)) {
        if (own.aborted || !reply.take(event)) return;
      }
      reply.close();
    } catch (thrown) {
      reply.failure = { code: "bad-answer", message: messageOf(thrown), retryable: false };
    }
  });
  const rest = reply.text.end();
  if (rest) emit({ type: "text-delta", text: rest });
  const turn: Turn = {
    text: reply.text.whole,
    calls: bounded.ended === "done" && !reply.failure ? reply.calls : [],
    ...(reply.failure && { failure: reply.failure }),
    end: bounded.ended === "done" ? reply.end : bounded.ended,
  };
  const usage = reply.usage ?? estimated(request, reply);
  budget.spend(usage);
  trace.noteModel({ model: reply.model ?? model.name, ms: clock.monotonic() - started, usage, finish: reply.failure?.code ?? turn.end });
  return turn;
}

/** Puts one stream together. */
class Reply {
  readonly calls: ToolCall[] = [];
  usage: Usage | undefined;
  /** Who wrote it, when another model than was asked. */
  model: string | undefined;
  failure: ModelFailure | undefined;
  /** Until the stream says how it ended, it counts as cut off. */
  #finish: Extract<ModelEvent, { type: "model-end" }>["finish"] | undefined;
  #tooLong = false;
  #chars = 0;
  readonly #answering: Answering;
  text: ReturnType<Answering["citations"]["text"]>;

  constructor(answering: Answering) {
    this.#answering = answering;
    this.text = answering.citations.text();
  }

  get chars(): number {
    return this.#chars;
  }

  get end(): Turn["end"] {
    if (this.#tooLong) return "too-long";
    if (this.failure) return "failed";
    if (this.#finish === "length" || this.#finish === "filtered") return this.#finish;
    return this.#finish === "tool-calls" && this.calls.length === 0 ? "no-calls" : "done";
  }

  /** Takes one event; false when no more are wanted. */
  take(event: ModelEvent): boolean {
    const { emit, citations, limits } = this.#answering;
    switch (event.type) {
      case "text-delta": {
        const room = limits.answerChars - this.#chars;
        const piece = event.text.length > room ? event.text.slice(0, room).replace(/[\uD800-\uDBFF]$/, "") : event.text;
        this.#chars += piece.length;
        const ready = this.text.push(piece);
        if (ready) emit({ type: "text-delta", text: ready });
        this.#tooLong = piece !== event.text;
        return !this.#tooLong;
      }
      case "text-reset":
        if (this.text.whole) emit({ type: "text-reset" });
        this.text = citations.text();
        return true;
      case "tool-call":
        this.calls.push(event.call);
        return true;
      case "model-end":
        this.#finish = event.finish;
        this.usage = event.usage;
        this.model = event.model;
        return false;
      case "model-error":
        this.failure = event.error;
        return false;
      default:
        event satisfies never;
        return true;
    }
  }

  /** A stream that just stops has not said that it is complete. */
  close() {
    if (!this.#finish && !this.failure && !this.#tooLong)
      this.failure = { code: "cut", message: "The stream had no end.", retryable: true };
  }
}

/** For calls that reported no usage (cut, stopped): what was sent and received is paid for all the same. */
function estimated(request: ModelRequest, reply: Reply): Usage {
  const sent = [request.system, ...request.messages.map(({ content }) => content)];
  const input = sent.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { inputTokens: input, outputTokens: Math.ceil(reply.chars / 4) };
}
