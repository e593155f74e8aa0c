import type { ChannelId, DocumentId, MessageTs, PersonId, TraceId } from "../core/ids.ts";

/** How one answer came to be: every tool call and model call, in order. */
export interface TraceRecord {
  readonly id: TraceId;
  readonly person: PersonId;
  readonly channel: ChannelId;
  readonly thread?: MessageTs;
  /** The message that asked; absent outside Slack. */
  readonly message?: MessageTs;
  readonly startedAt: Date;
  readonly ms: number;
  readonly status: "answered" | "limited" | "fallback" | "stopped" | "error";
  readonly errorCode?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly entries: readonly TraceEntry[];
  /** What the answer cites, by number. Absent when it cites nothing. */
  readonly cited?: readonly CitedSource[];
}

/** A cited source, to be found again. Of documents neither title nor text is kept: both are read anew for whoever wants to see them. */
export type CitedSource = {
  readonly n: number;
  /** A passage's id, else what the tool calls it. */
  readonly id: string;
  /** 0 to 1, comparable within one answer only. */
  readonly relevance: number;
} & ({ readonly documentId: DocumentId } | { readonly title: string; readonly url?: string; readonly passage: string });

export type TraceEntry =
  | {
      readonly kind: "model";
      readonly step: number;
      readonly model: string;
      readonly ms: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly finish: string;
    }
  | {
      readonly kind: "tool";
      readonly step: number;
      readonly tool: string;
      readonly arguments: unknown;
      /** Why the call was let through or not. */
      readonly verdict: string;
      readonly status: "success" | "error" | "denied";
      readonly errorCode?: string;
      readonly ms: number;
      /** It was got before for the same readers, and took this long then, in milliseconds. */
      readonly savedMs?: number;
      /** Characters handed to the model. */
      readonly size: number;
      readonly sources: number;
    }
  /** From this step on the answer takes in what its asker has added in that message. */
  | { readonly kind: "added"; readonly step: number; readonly message: MessageTs };
