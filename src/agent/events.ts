import type { MessageTs, PersonId, TraceId } from "../core/ids.ts";
import type { Source, ToolResult } from "../plugins/contract.ts";
import type { ToolCall } from "./model/model.ts";
import type { CitationStyle } from "./templates/template.ts";

/** All that happens while one answer is made, in order. Named noun-verb; a consumer ends its switch with `event satisfies never`. */
export type AgentEvent =
  | { readonly type: "answer-start"; readonly traceId: TraceId }
  | { readonly type: "step-start"; readonly step: number }
  /** `label` is the line for people: what the tool is doing, with what query. */
  | { readonly type: "tool-start"; readonly call: ToolCall; readonly label: string }
  | { readonly type: "tool-progress"; readonly callId: string; readonly label: string }
  | { readonly type: "tool-end"; readonly call: ToolCall; readonly label: string; readonly result: ToolResult; readonly ms: number }
  /**
   * A piece of the answer: Markdown with [n] markers. A marker or a surrogate pair is never cut between two deltas. `cited`: every
   * source that the text cites so far, sent when there is a new one, so that its marker can be a link at once.
   */
  | { readonly type: "text-delta"; readonly text: string; readonly cited?: readonly Citation[] }
  /** What was written so far was only a remark before tool calls, or is replaced by a fallback: forget it. */
  | { readonly type: "text-reset" }
  /** What the asker has added is taken into account from this step on. */
  | { readonly type: "message-added"; readonly message: MessageTs }
  /** A sentence for people beside the answer, e.g. that the model is unreachable and documents are quoted instead. */
  | { readonly type: "notice"; readonly text: string }
  /** `style`: how they are to be listed, as the channel's template says. */
  | { readonly type: "sources-ready"; readonly sources: readonly Citation[]; readonly style?: CitationStyle }
  /** One of the three ends. `text` is the whole answer and authoritative. */
  | { readonly type: "answer-end"; readonly text: string; readonly outcome: "answered" | "limited" | "fallback" }
  | { readonly type: "answer-stopped"; readonly text: string; readonly cause?: StopCause }
  | { readonly type: "answer-error"; readonly code: string; readonly message: string; readonly retryable: boolean };

/** Why an answer was stopped, for those who read what there is of it. */
export type StopCause = { readonly kind: "person"; readonly person: PersonId } | { readonly kind: "question-deleted" };

/** A cited source under its number. `url` opens it at the right page, for those who may. */
export interface Citation {
  readonly n: number;
  readonly source: Source;
  readonly url?: string;
}

/** Where an answer goes: a Slack thread, a terminal, an HTTP stream, a buffer. Gets events in order and exactly one end. */
export interface AnswerSink {
  /** May be slow: the agent does not wait for Slack between events. Must not throw. */
  write(event: AgentEvent): void | Promise<void>;
}
