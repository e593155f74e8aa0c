import type { ThreadMessage } from "../../agent/ports.ts";
import type { ChannelId, MessageTs, PersonId, TenantId, TurnId } from "../../core/ids.ts";
import type { AnswerJournal } from "../ports.ts";

/** A person's message as it came from Slack. */
export interface IncomingMessage {
  readonly eventId: string;
  readonly channel: ChannelId;
  /** The thread it belongs to; its own ts when it starts one. */
  readonly thread: MessageTs;
  readonly ts: MessageTs;
  readonly person: PersonId;
  /** Slack's own form, entities and all. */
  readonly text: string;
  /** The files that come with it: see NamedFile. */
  readonly files?: readonly string[];
  /** Whether it asks something: in any case, when the bot already takes part in the thread, or not at all (then it is only remembered there). */
  readonly asks: "always" | "in-known-thread" | "never";
}

/**
 * What became of a message. "queued": a turn waits for a worker. "kept": remembered as part of a thread. "seen": delivered before.
 * "ignored": none of our business. "thread-full" and "workspace-full": too many questions wait there; it is refused with a notice.
 */
export type Accepted = "queued" | "kept" | "seen" | "ignored" | "thread-full" | "workspace-full";

/** Why a question is not taken on: too many wait. */
export type Refusal = Extract<Accepted, "thread-full" | "workspace-full">;

/** Who is told so, and where. */
export type RefusedPlace = Pick<IncomingMessage, "channel" | "thread" | "person">;

/** What became of a turn that is to be asked again. "not-offered": it is not theirs, has not ended so, or was asked again before. */
export type AskedAgain = "queued" | "not-offered" | { readonly refused: Refusal; readonly thread: MessageTs };

/** How many questions may wait. */
export interface QueueLimits {
  /** In one thread, the running one included. */
  readonly perThread: number;
  readonly perTenant: number;
  /** Over all tenants. */
  readonly total: number;
}

/** The right to work on one turn until a moment in database time. A later holder has another token. */
export interface Lease {
  readonly turn: TurnId;
  readonly tenant: TenantId;
  readonly token: string;
  /** 1 for the first try since the question was queued or retried. */
  readonly attempt: number;
}

export interface ClaimWish {
  readonly leaseMs: number;
  /** Answers at once for one tenant, over all processes. */
  readonly perTenant: number;
  /** How many answers this process has room for. */
  readonly most: number;
  readonly after: TenantId | undefined;
  /** Turns that this process works on: when their leases have run out unnoticed, they are renewed, not claimed by ourselves. */
  readonly except: readonly TurnId[];
}

/** What became of a wish to prolong a lease that is still ours. */
export type Renewed = "renewed" | "busy";

/** A lease just taken. */
export interface Claim extends Lease {
  /** Whether other turns wait, for whatever reason: a claim right after this one might find nothing all the same. */
  readonly moreWait: boolean;
}

/** A process has room for an answer: a question that need not wait may begin in the moment in which it is stored. */
export type BeginWish = Pick<ClaimWish, "leaseMs" | "perTenant">;

/** A question that was stored and begun at once. */
export interface Begun {
  readonly lease: Lease;
  readonly turn: StartedTurn;
  /** Whether others were queued behind it. */
  readonly moreWait: boolean;
}

/** The queue of all tenants; it holds ids only. */
export interface TurnQueue {
  /**
   * Takes the right to turns of one tenant: of each thread the oldest, unless it runs, `most` in all and no more than until `perTenant`
   * run. Tenants take turns, starting behind `after`, and none gets more than its share of `most` while others wait. Empty when
   * nothing can be had.
   */
  claim(wish: ClaimWish): Promise<readonly Claim[]>;
  /**
   * Prolongs leases, also those that have run out while nobody took them. By token; one that is missing is not ours any more. Waits for
   * nobody: "busy" is ours, but somebody writes to its turn at this moment.
   */
  renew(leases: readonly Lease[], leaseMs: number): Promise<ReadonlyMap<string, Renewed>>;
  /** Gives an unfinished turn back at once, without counting the try. */
  release(lease: Lease): Promise<void>;
  /** Gives it back for a later try, which counts. */
  postpone(lease: Lease, ms: number): Promise<void>;
  /** What is wanted of these turns: that they end, or take something in; and which are not in the queue any more. */
  halted(turns: readonly TurnId[]): Promise<readonly { readonly turn: TurnId; readonly halt: HaltKind | "added-to" | "gone" }[]>;
}

/** What people want of a turn that is being worked on: "stopped" by a person, "cancelled" with its question, "replaced" by another wording. */
export type HaltKind = "stopped" | "cancelled" | "replaced";

/** A turn that a worker has begun. */
export interface StartedTurn {
  readonly id: TurnId;
  readonly channel: ChannelId;
  readonly thread: MessageTs;
  readonly ts: MessageTs;
  readonly person: PersonId;
  /** Slack's own form. */
  readonly text: string;
  /** The files that came with it: see NamedFile. */
  readonly files?: readonly string[];
  /** Whether its asker has added something to it. */
  readonly addedTo?: boolean;
  /** That it is to end before it begins. */
  readonly halt?: HaltKind;
  /** Earlier tries at this turn, over all retries. */
  readonly earlierAttempts: number;
  /** Whether it is the first turn of a thread that began without the bot: what was said before is not in our memory yet. */
  readonly joinsThread: boolean;
}

export interface TurnEnd {
  readonly status: "answered" | "failed" | "interrupted" | "ignored" | "stopped" | "cancelled";
  readonly errorCode?: string;
  /** The whole answer (Markdown), for the thread's memory. */
  readonly answer?: string;
}

/** One tenant's turns. */
export interface TenantTurns {
  /**
   * Stores the message and, when it asks something, its turn: once per event id and once per channel and ts. One transaction. With a wish to
   * begin, the turn is leased and begun there, too, if it is the only one of its thread, its tenant has a place, and nobody waits who
   * could have one.
   */
  accept(message: IncomingMessage, limits: QueueLimits, begin?: BeginWish): Promise<Accepted | Begun>;
  /** Marks the turn as running. Undefined when the lease is not ours any more. */
  start(lease: Lease): Promise<StartedTurn | undefined>;
  /**
   * What the asker has added to the turn, in Slack's own form, in order. What was to be taken in is from now on: its turn has ended as merged. Rejects with
   * LEASE_LOST when the lease is not ours any more.
   */
  additions(lease: Lease): Promise<readonly { readonly ts: MessageTs; readonly text: string }[]>;
  /** Its `note` rejects when the lease is not ours any more. */
  journal(lease: Lease): AnswerJournal;
  /**
   * Takes the turn out of the queue and remembers the answer. What was taken into an answer that nobody gets waits again. False when the lease is not ours any more, or the question has another
   * wording by now: nothing is written then.
   */
  finish(lease: Lease, end: TurnEnd): Promise<boolean>;
  /** Queues a failed or interrupted turn again, for its asker alone and once per failure. */
  retry(turn: TurnId, click: { readonly channel: ChannelId; readonly person: PersonId }, limits: QueueLimits): Promise<AskedAgain>;
  /** Who has stopped the turn. */
  stopper(turn: TurnId): Promise<PersonId | undefined>;
}

/** One tenant's memory of threads, as stored: people's messages in Slack's form, the bot's in Markdown. */
export interface ThreadRows {
  /** The newest `limit` before the message `before` (exclusive), oldest first. An answer stands right after its question. */
  history(channel: ChannelId, thread: MessageTs, limit: number, before?: MessageTs): Promise<readonly ThreadMessage[]>;
  /** Adds what was said before the bot took part; what is known already stays. */
  add(channel: ChannelId, thread: MessageTs, messages: readonly ThreadMessage[]): Promise<void>;
}
