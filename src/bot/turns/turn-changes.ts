import type { ChannelId, MessageTs, PersonId, TurnId } from "../../core/ids.ts";

/** Another wording of a message, as its author has edited it. */
export interface EditedMessage {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly person: PersonId;
  /** Slack's own form. */
  readonly text: string;
  /** When it was edited: of two wordings the later one counts, whichever comes first. */
  readonly editedTs: MessageTs;
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
   * is no question. "unchanged": it says what is known already, or is older.
   */
  edit(edited: EditedMessage): Promise<"queued" | "replaced" | "noted" | "unchanged">;
  /** Forgets a message. Gives its turn when that is unfinished: it is cancelled. */
  remove(deleted: DeletedMessage): Promise<TurnId | undefined>;
  /** Unfinished turns, with their askers. */
  unfinished(place: StopPlace): Promise<readonly { readonly turn: TurnId; readonly person: PersonId }[]>;
  /** Has turns stopped. Gives those for which that was news. */
  stop(turns: readonly TurnId[], by: PersonId): Promise<readonly TurnId[]>;
  /** Has the answers that are being made in a channel begun anew, with a line in the audit log. Gives those for which that was news. */
  restart(channel: ChannelId, by: PersonId | undefined): Promise<readonly TurnId[]>;
  /** Queues an answered or stopped turn again, for its asker alone. False when it was made anew since: each answer offers it once. */
  again(turn: TurnId, click: { readonly channel: ChannelId; readonly person: PersonId; readonly attempt: number }): Promise<boolean>;
}
