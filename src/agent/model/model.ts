import type { JsonSchema } from "../../core/json-schema.ts";

/** One language model. Never throws: a failure is an event, and every stream ends with `model-end` or `model-error`. */
export interface Model {
  /** For the trace, e.g. "gpt-4.1-mini" or "offline-answerer". */
  readonly name: string;
  /** Tokens that fit into one request and its reply together, where they are known: set by the operator or learned from a refusal. */
  readonly contextTokens?: number | undefined;
  /** It only quotes what tools find: what else a request asks for (a summary) it cannot do. */
  readonly quotesOnly?: boolean;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** "none" forbids tool calls: used for the forced synthesis at the end of a budget. */
  readonly toolChoice: "auto" | "none";
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export type ModelMessage =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly content: string };

export interface ToolCall {
  /** Unique within one answer (the adapter mends servers that repeat ids). */
  readonly id: string;
  readonly name: string;
  /** Parsed JSON; when the model wrote no valid JSON, `invalid` holds what it wrote and params is undefined. */
  readonly params: unknown;
  readonly invalid?: string;
  /** What the server wants back with this call (a signature, its reasoning). Only the adapter that wrote it reads it. */
  readonly opaque?: unknown;
}

export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  /** What came so far was not meant for readers (reasoning whose start was not marked): forget it. */
  | { readonly type: "text-reset" }
  | { readonly type: "tool-call"; readonly call: ToolCall }
  /** `model`: who wrote the reply, when another one than was asked. */
  | {
      readonly type: "model-end";
      readonly finish: "stop" | "tool-calls" | "length" | "filtered";
      readonly usage: Usage;
      readonly model?: string;
    }
  | { readonly type: "model-error"; readonly error: ModelFailure };

/** Tokens of one model call; estimated when the server reports none. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelFailure {
  /** "cut": the stream ended without an end; "no-tools": the model refuses tool definitions; "aborted": our signal. */
  readonly code: "unreachable" | "rate-limited" | "refused" | "no-tools" | "context-length" | "cut" | "timeout" | "aborted" | "bad-answer";
  /** For the log and the trace: no keys, no headers. */
  readonly message: string;
  readonly retryable: boolean;
  /** With "context-length": the tokens that fit, where the server said so. */
  readonly contextTokens?: number;
}
