import type { ChannelId, MessageTs, PersonId, TraceId } from "../core/ids.ts";

/** How one answer came to be: every tool call and model call, in order. */
export interface TraceRecord {
  readonly id: TraceId;
  readonly person: PersonId;
  readonly channel: ChannelId;
  readonly thread?: MessageTs;
  readonly startedAt: Date;
  readonly ms: number;
  readonly status: "answered" | "limited" | "fallback" | "stopped" | "error";
  readonly errorCode?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly entries: readonly TraceEntry[];
}

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
      /** Characters handed to the model. */
      readonly size: number;
      readonly sources: number;
    };
