import type { ChannelId, MessageTs, PersonId, TurnId } from "../../core/ids.ts";
import type { AskedAgain, QueueLimits } from "./turn-store.ts";

/** Another wording of a message, as its author has edited it. */
export interface EditedMessage {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  /** The thread it belongs to; its own ts when it begins one. */
  readonly thread: MessageTs;
  readonly person: PersonId;
  /** Slack's own form. */
  readonly text: string;
  /** When it was edited: of two wordings the later one counts, whichever comes first. */
  readonly editedTs: MessageTs;
  /** Whether the message would be taken in if it came now: then an edit that overtakes it waits for it. */
  readonly awaited: boolean;
}

/** A message that was deleted in Slack. */
export interface DeletedMessage {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly thread: MessageTs;
  readonly eventId: string;
  readonly person: PersonId;
}

/** What is to be stopped: turns that wait or run in a place, asked before a moment. */
export interface StopPlace {
  readonly channel: ChannelId;
  readonly turn?: TurnId;
  readonly thread?: MessageTs;
  /** A wish to stop that comes late says nothing about what was asked after it. */
  readonly before?: MessageTs;
  /** Only answers that show one of these messages. */
  readonly messages?: readonly MessageTs[];
}

/** What people do about what they have asked. One tenant's. */
export interface TurnChanges {
  /**
   * Takes another wording in. "queued": the question is asked again. "replaced": its running answer begins anew. "noted": it waits, or
   * is no question. "unchanged": it says what is known already, or is older. Refused: it is known now, but too many wait to ask it again.
   */
  edit(edited: EditedMessage, limits: QueueLimits): Promise<Exclude<AskedAgain, "not-offered"> | "replaced" | "noted" | "unchanged">;
  /** Forgets a message. Gives its turn when that is unfinished: it is cancelled. */
  remove(deleted: DeletedMessage): Promise<TurnId | undefined>;
  /** Unfinished turns in the order in which they are answered, with their askers and what they ask, in Slack's own form. */
  unfinished(place: StopPlace): Promise<readonly { readonly turn: TurnId; readonly person: PersonId; readonly question: string }[]>;
  /**
   * Has turns stopped, once for all deliveries of a wish: a later one knows nothing of what was asked meanwhile. Gives those for which
   * that was news; undefined when the wish was heard before.
   * @param key names the wish
   */
  stop(turns: readonly TurnId[], by: PersonId, key: string): Promise<readonly TurnId[] | undefined>;
  /**
   * Has a question that waits taken into the answer at the head of its thread, if that is to the same person. Until then it waits as
   * before. Gives the turn of that answer; undefined when it cannot be: it is not theirs, has files, is being answered, or not behind one of theirs.
   */
  takeIn(message: { readonly channel: ChannelId; readonly ts: MessageTs; readonly person: PersonId }): Promise<TurnId | undefined>;
  /** Has the answers that are being made in a channel begun anew, with a line in the audit log. Gives those for which that was news. */
  restart(channel: ChannelId, by: PersonId | undefined): Promise<readonly TurnId[]>;
  /** Queues an answered or stopped turn again, for its asker alone. Each answer offers it once. */
  again(
    turn: TurnId,
    click: { readonly channel: ChannelId; readonly person: PersonId; readonly attempt: number },
    limits: QueueLimits,
  ): Promise<AskedAgain>;
}
