import type { ChannelId, MessageTs, PersonId, TraceId } from "../core/ids.ts";

export type Rating = "up" | "down";

/** What somebody says of an answer. One person has one word on one answer; a later one replaces it. */
export interface Feedback {
  readonly trace: TraceId;
  readonly person: PersonId;
  readonly rating: Rating;
  /** Absent: what they have written before stays. */
  readonly comment?: string;
}

/** An answer that people found bad. */
export interface RatedAnswer {
  readonly trace: TraceId;
  readonly channel: ChannelId;
  readonly thread?: MessageTs;
  /** Who asked. */
  readonly person: PersonId;
  readonly answeredAt: Date;
  readonly up: number;
  readonly down: number;
  /** Comments of those who found it bad, the newest first; a few only. */
  readonly comments: readonly { readonly person: PersonId; readonly text: string }[];
}

/** One tenant's feedback, kept with the traces. */
export interface TenantFeedback {
  save(feedback: Feedback): Promise<void>;
  find(trace: TraceId, person: PersonId): Promise<{ readonly rating: Rating; readonly comment: string } | undefined>;
  /** Answers with at least one thumb down: those with the most first, then the newest. */
  worst(page: {
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly answers: readonly RatedAnswer[]; readonly total: number }>;
}
