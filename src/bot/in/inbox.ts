import { LRUCache } from "lru-cache";
import type { ChannelId, PersonId, TenantId, TurnId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Accepted, Begun, IncomingMessage, QueueLimits, Refusal, RefusedPlace, TenantTurns } from "../turns/turn-store.ts";
import type { KeptPlace } from "../turns/turns.ts";

/** "begun": it is being answered already. */
type Outcome = Accepted | "begun";

export interface InboxParts {
  readonly turnsOf: (tenant: TenantId) => Pick<TenantTurns, "accept" | "retry">;
  readonly limits?: QueueLimits;
  /** Called after a turn was stored, so that it starts at once. */
  readonly nudge: () => void;
  /** Keeps a place for an answer, so that the question begins as it is stored. Absent where all are taken from the queue. */
  readonly keepPlace?: () => KeptPlace | undefined;
  /** Begins to read what the answer to a question will need, while that is stored. Fire and forget. */
  readonly foresee?: (tenant: TenantId, message: IncomingMessage) => void;
  /** Tells the asker why the question is not taken on. Fire and forget. */
  readonly refuse: (tenant: TenantId, at: RefusedPlace, reason: Refusal) => Promise<void>;
  /** Tells the asker what the question waits for. Fire and forget. */
  readonly waits?: (tenant: TenantId, message: IncomingMessage) => Promise<void>;
  readonly log: Logger;
}

/** One running and three waiting questions a thread; a workspace may fill a small part of the whole queue. */
export const defaultQueueLimits: QueueLimits = { perThread: 4, perTenant: 100, total: 2_000 };

/** One person hears of a full queue once in this time. */
const noticeEveryMs = 60_000;

/**
 * How long a message that is stored, or on its way there, spares its twin the database (Slack sends a mention as two events at once), and
 * how long others wait for one that is on its way: what takes longer counts as hanging.
 */
const twinStoredMs = 60_000;
const pendingMs = 1_000;

const storedAsQuestion: ReadonlySet<Outcome> = new Set<Outcome>(["queued", "begun", "seen", "thread-full", "workspace-full"]);

/** Where messages come to rest before Slack gets its acknowledgement. When it resolves, the message is in the database for good. */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #limits: QueueLimits;
  readonly #noticed = new LRUCache<string, true>({ max: 10_000, ttl: noticeEveryMs });
  /** What is being stored of each thread. */
  readonly #last = new LRUCache<string, Promise<void>>({ max: 10_000, ttl: pendingMs });
  readonly #recent = new LRUCache<string, Promise<Outcome>>({ max: 10_000, ttl: pendingMs });

  constructor(parts: InboxParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? defaultQueueLimits;
  }

  /** Stores a message, once. Rejects when it could not be stored: then it must not be acknowledged. */
  async accept(tenant: TenantId, message: IncomingMessage): Promise<Outcome> {
    const key = `${tenant} ${message.channel} ${message.ts}`;
    const twin = this.#recent.get(key);
    // A twin that failed, or was none of our business, says nothing about this one.
    if (twin && storedAsQuestion.has(await twin.catch(() => "ignored"))) return "seen";
    // Connections to the database may overtake each other; messages of one thread are stored in the order in which they came.
    const thread = `${tenant} ${message.channel} ${message.thread}`;
    const before = this.#last.get(thread);
    const storing = before ? before.then(() => this.#store(tenant, message)) : this.#store(tenant, message);
    this.#last.set(
      thread,
      storing.then(
        () => undefined,
        () => undefined,
      ),
    );
    this.#recent.set(key, storing);
    const accepted = await storing;
    this.#recent.set(key, storing, { ttl: twinStoredMs });
    if (accepted === "queued") this.#waits(tenant, message);
    if (accepted === "thread-full" || accepted === "workspace-full") this.refused(tenant, message, accepted);
    return accepted;
  }

  #waits(tenant: TenantId, message: IncomingMessage): void {
    const { nudge, waits, log } = this.#parts;
    nudge();
    waits?.(tenant, message).catch(() => log.warn("The notice that a question waits could not be sent.", { tenant }));
  }

  /** Stores it, and begins its answer at once when nothing is before it. */
  async #store(tenant: TenantId, message: IncomingMessage): Promise<Outcome> {
    const { turnsOf, keepPlace, foresee } = this.#parts;
    const place = message.asks === "never" ? undefined : keepPlace?.();
    let begun: Begun | undefined;
    try {
      const accepting = turnsOf(tenant).accept(message, this.#limits, place?.wish);
      // Behind it, since the embedded database does one thing at a time. Most messages in threads are not for us.
      if (place && message.asks === "always") foresee?.(tenant, message);
      const accepted = await accepting;
      if (typeof accepted === "string") return accepted;
      begun = accepted;
      return "begun";
    } finally {
      if (begun) place?.begin(begun);
      else place?.leave();
    }
  }

  /** Queues a failed turn again for its asker, as long as there is room. */
  async retry(tenant: TenantId, turn: TurnId, click: { readonly channel: ChannelId; readonly person: PersonId }): Promise<void> {
    const outcome = await this.#parts.turnsOf(tenant).retry(turn, click, this.#limits);
    if (outcome === "queued") this.#parts.nudge();
    else if (typeof outcome === "object") this.refused(tenant, { ...click, thread: outcome.thread }, outcome.refused);
  }

  /** Tells somebody that too many questions wait, now and then. */
  refused(tenant: TenantId, at: RefusedPlace, reason: Refusal): void {
    const { refuse, log } = this.#parts;
    log.warn("A question was refused because too many wait.", { tenant, code: reason });
    const whom = `${tenant} ${at.person}`;
    if (this.#noticed.has(whom)) return;
    this.#noticed.set(whom, true);
    refuse(tenant, at, reason).catch(() => log.warn("The notice about a full queue could not be sent.", { tenant }));
  }
}
