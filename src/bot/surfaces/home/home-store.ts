import type { ChannelId, MessageTs, PersonId, TraceId } from "../../../core/ids.ts";

/** A part of a list. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export interface RecentAnswer {
  readonly trace: TraceId;
  readonly channel: ChannelId;
  readonly thread?: MessageTs;
  readonly answeredAt: Date;
  readonly failed: boolean;
  /** Whether it cites anything. */
  readonly cites: boolean;
  /** In Slack's own form. */
  readonly question: string;
}

/** How a workspace's answers went lately. */
export interface AnswerHealth {
  readonly answers: number;
  readonly failed: number;
  /** Half of them took no longer than this, in milliseconds; 0 when there are none. */
  readonly medianMs: number;
  readonly up: number;
  readonly down: number;
}

/** What App Home shows of one tenant. */
export interface TenantHome {
  /** A person's newest answers in Slack, of each question the last one. */
  recent(person: PersonId, slice: Slice): Promise<{ readonly answers: readonly RecentAnswer[]; readonly total: number }>;
  /** Which of these channels have a template of their own, with its name. */
  channelTemplates(
    channels: readonly ChannelId[],
    slice: Slice,
  ): Promise<{ readonly channels: readonly { readonly channel: ChannelId; readonly template: string }[]; readonly total: number }>;
  health(since: Date): Promise<AnswerHealth>;
}
