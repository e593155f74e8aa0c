import type { ChannelId, MessageTs, PersonId, TraceId, TurnId } from "../../../core/ids.ts";
import type { Once } from "../../commands/command-store.ts";

/** A question as it was asked. */
export interface ChannelQuestion {
  readonly channel: ChannelId;
  readonly thread: MessageTs;
  readonly person: PersonId;
  /** Slack's own form. */
  readonly text: string;
  readonly files: readonly string[];
}

/** Where a question was asked that is answered once more in a direct message, and by whom. */
export interface Origin {
  readonly channel: ChannelId;
  readonly thread: MessageTs;
  readonly person: PersonId;
}

/** One tenant's questions that were asked once more in a direct message. */
export interface TenantPrivateSearches {
  /** Undefined for a question that was deleted, too. */
  question(turn: TurnId): Promise<ChannelQuestion | undefined>;
  /** Takes the right to ask it once more. False when that was done; a try that was broken off, asking nothing, may be repeated after a minute. */
  claim(turn: TurnId, origin: Origin): Promise<boolean>;
  /** Gives the right back, unless it was asked after all. */
  release(turn: TurnId): Promise<void>;
  /** Remembers the thread of the direct message in which it is answered. */
  opened(turn: TurnId, direct: { readonly channel: ChannelId; readonly thread: MessageTs }): Promise<void>;
  /** Where the question of a direct message's thread comes from; undefined for every other thread. */
  origin(channel: ChannelId, thread: MessageTs): Promise<Origin | undefined>;
  /** The answer to a message as it stands in our memory (Markdown). */
  answer(channel: ChannelId, message: MessageTs): Promise<string | undefined>;
  /**
   * Takes the right to share an answer, with a line in the audit log. "again": a try was given up, or broken off more than a minute
   * ago, and may have posted some of it; "running": one of less than a minute ago may still be at it; "before": it stands in the channel; "seen": the click is known.
   */
  share(once: Once, trace: TraceId): Promise<"first" | "again" | "running" | "before" | "seen">;
  /** It stands in the channel. */
  shared(trace: TraceId): Promise<void>;
  /** This try is given up: the next one need not wait, and finishes what was begun. */
  giveUpSharing(trace: TraceId): Promise<void>;
}
