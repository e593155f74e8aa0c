import type { AnswerSink } from "../agent/events.ts";
import type { ChannelId, MessageTs, PersonId, TenantId, TurnId } from "../core/ids.ts";
import type { Reach } from "./audience/reach.ts";

/** Which messages of an answer are already in Slack: written before and after each post, so that a crash posts nothing twice. */
export interface AnswerJournal {
  /** Messages already posted for this turn, in order; empty on a first attempt. */
  posted(): Promise<readonly MessageTs[]>;
  /** Remembers that message `part` (0-based) of the answer is `ts`. */
  note(part: number, ts: MessageTs): Promise<void>;
  /**
   * Asked right before every call that shows something. Undefined, as a rule: the answer is ours to write. Otherwise resolves when that
   * is certain again; rejects with LEASE_LOST when another process writes it now. Absent where nobody else could.
   */
  stillOurs?(): Promise<void> | undefined;
}

/** Where one turn's answer goes. */
export interface AnswerTarget {
  readonly tenant: TenantId;
  readonly turn: TurnId;
  /** Earlier attempts at this turn; from the first on, an unknown post is looked up in the thread before posting again. */
  readonly attempt: number;
  readonly channel: ChannelId;
  readonly thread: MessageTs;
  readonly person: PersonId;
  /** The person's own workspace as Slack numbers it; another than the installation's for people of other organisations. */
  readonly recipientTeam?: string | undefined;
  /** What was asked, in Markdown: addresses in it may be links in the answer. */
  readonly question?: string | undefined;
  /** Whether files came with the question: its asker may add them to the documents. */
  readonly withFiles?: boolean | undefined;
  /** Who will read it, as far as that is said or offered below the answer. */
  readonly reach?: Reach | undefined;
}

/** The sink that writes to Slack. It owns throttling, length and escaping; nothing else writes an answer. */
export interface SlackAnswerSink extends AnswerSink {
  /** Resolves when everything written so far is in Slack, or rejects when Slack refuses for good. */
  settled(): Promise<void>;
  /** Writes nothing any more, not even what is still waiting: the answer belongs to another process now. */
  close?(): void;
}
