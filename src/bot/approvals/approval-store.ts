import type { ChannelId, MessageTs, PersonId } from "../../core/ids.ts";
import type { FormField } from "../../plugins/contract.ts";

/** A call of one question that needs a click. The same call of the same question is the same entry, whatever was in between. */
export interface CallEntry {
  readonly channel: ChannelId;
  /** The question's own message. */
  readonly message: MessageTs;
  readonly thread: MessageTs | undefined;
  readonly person: PersonId;
  readonly tool: string;
  readonly fingerprint: string;
  readonly arguments: string;
  /** Whether the person may allow it for the rest of the thread. */
  readonly rememberable: boolean;
  /** Fields to be filled in. */
  readonly form?: readonly FormField[];
}

/** "expired": nobody has decided in time. */
export type CallState = "waiting" | "allowed" | "denied" | "expired" | "running" | "done";

/** Where a card stands. */
export interface CardPlace {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
}

export type Decision = "once" | "thread" | "deny";

/** What came of a click. Only the first one of whoever asked counts. */
export type Decided = "allowed" | "denied" | "expired" | "decided-before" | "not-yours" | "unknown";

/** A call that waits for its asker. */
export interface EditableCall {
  readonly tool: string;
  readonly arguments: string;
  readonly form?: readonly FormField[];
}

/** One tenant's calls that wait for a click, as stored. All times are the database's. */
export interface CallApprovals {
  /** The entry as it stands, made now when there is none or the last one has expired. `isNew`: nobody has been asked yet. */
  open(
    entry: CallEntry,
    waitMs: number,
  ): Promise<{ readonly id: string; readonly state: CallState; readonly isNew: boolean; readonly edited?: string }>;
  placed(id: string, card: CardPlace): Promise<void>;
  look(id: string): Promise<{ readonly state: CallState; readonly card: CardPlace | undefined; readonly edited?: string } | undefined>;
  /** What its asker may change before they allow it, or why it is not theirs to change (any more). */
  editable(id: string, person: PersonId): Promise<EditableCall | Exclude<Decided, "allowed" | "denied">>;
  /**
   * One statement: of twenty clicks at once, one decides. Noted in the audit log.
   * @param edited what the asker has made of the arguments, as JSON, of a call that is allowed once
   */
  decide(
    id: string,
    person: PersonId,
    decision: Decision,
    edited?: string,
  ): Promise<{ readonly outcome: Decided; readonly asker?: PersonId }>;
  /** Marks an allowed call as running, once, if it is exactly this one, as it was shown or edited. False: it runs or has run, or is another. */
  start(id: string, entry: CallEntry, edited?: string): Promise<boolean>;
  finished(id: string): Promise<void>;
  /** Nobody waits for it any more: a click no longer counts. */
  withdraw(id: string): Promise<void>;
  /** Whether the person has allowed this tool, in this form, for the rest of the thread. */
  remembered(entry: CallEntry): Promise<boolean>;
}
