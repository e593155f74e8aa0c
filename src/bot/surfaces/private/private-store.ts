import type { ChannelId, MessageTs, PersonId, TraceId, TurnId } from "../../../core/ids.ts";
import type { Once } from "../../commands/command-store.ts";

/** A question as it was asked. */
export interface AskedQuestion {
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
  question(turn: TurnId): Promise<AskedQuestion | undefined>;
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
  /** Notes that an answer is shared, with a line in the audit log. False when it was before, or the click is known. */
  share(once: Once, trace: TraceId): Promise<boolean>;
  /** It was not shared after all. */
  unshare(trace: TraceId): Promise<void>;
}
