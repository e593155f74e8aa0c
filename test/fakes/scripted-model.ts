import type { Model, ModelEvent, ModelRequest, ToolCall } from "../../src/agent/model/model.ts";

/** One reply: its events, or a function that writes them (for replies that hang, throw or look at the request). */
export type ScriptedReply = readonly ModelEvent[] | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

/** A model that says what the test tells it to; after the last reply it repeats that one. Keeps the requests it was sent. */
export class ScriptedModel implements Model {
  readonly name = "scripted";
  readonly requests: ModelRequest[] = [];
  readonly #replies: readonly ScriptedReply[];

  constructor(...replies: readonly ScriptedReply[]) {
    this.#replies = replies;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.requests.push(structuredClone(request));
    const reply = this.#replies[Math.min(this.requests.length, this.#replies.length) - 1] ?? [];
    yield* typeof reply === "function" ? reply(request, signal) : reply;
  }
}

const usage = { inputTokens: 10, outputTokens: 5 };

/** A reply of words, in the pieces given. */
export const says = (...pieces: readonly string[]): readonly ModelEvent[] => [
  ...pieces.map((text) => ({ type: "text-delta", text }) as const),
  { type: "model-end", finish: "stop", usage },
];

/** A reply that asks for tools. */
export const calls = (...toolCalls: readonly ToolCall[]): readonly ModelEvent[] => [
  ...toolCalls.map((call) => ({ type: "tool-call", call }) as const),
  { type: "model-end", finish: "tool-calls", usage },
];

let counter = 0;
export const call = (name: string, params: unknown = {}, id = `call_${++counter}`): ToolCall => ({ id, name, params });
