import { type Clock, notNeeded } from "../../core/clock.ts";
import { AppError, codeOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { type Moment, momentOf, msSince } from "./moment.ts";
import type { Lease, Renewed, TurnQueue } from "./turn-store.ts";

/** How many times leases are renewed within their length: one missed renewal does no harm. */
const renewalsPerLease = 3;
/** The same while one of them is in doubt, or could not be renewed because somebody else was writing to its row. */
const hurriedPerLease = 15;
/** Part of a lease after which its holder is not sure of it any more: before another process may begin. */
const safePart = 0.8;
/** Lengths of a lease without a word from the database after which the answer is given up. */
const lengthsOfDoubt = 2;

/** A lease for as long as this process works under it. */
export interface KeptLease {
  /**
   * Must be asked right before anything is written that another process might write as well. Undefined when the lease is ours beyond
   * doubt, as a rule. Otherwise resolves when the database has said so again; rejects with LEASE_LOST when it is another's now.
   */
  stillOurs(): Promise<void> | undefined;
  /** It is needed no more. */
  drop(): void;
}

interface Kept {
  readonly lease: Lease;
  /** The lease is ours for its length from here on, whatever happens. */
  heldFrom: Moment;
  /** When the database was first asked since it last confirmed it. */
  askedFrom: Moment | undefined;
  readonly lost: () => void;
  /** Those who wait to hear whether it still is. */
  waiting: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[];
}

/**
 * The leases of all answers that are made in this process, renewed by one statement. A renewal may come late, since this process or the
 * database is busy or was asleep: so nobody relies on a timer, but reads the clock before writing, and waits when in doubt.
 */
export class Leases {
  readonly #queue: Pick<TurnQueue, "renew">;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #kept = new Map<string, Kept>();
  #keeping = false;
  /** Ends the pause before the next renewal. */
  #hurry = new AbortController();

  constructor({ queue, leaseMs, clock, log }: { queue: Pick<TurnQueue, "renew">; leaseMs: number; clock: Clock; log: Logger }) {
    this.#queue = queue;
    this.#leaseMs = leaseMs;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Renews a lease until it is dropped.
   * @param claimedAt just before it was claimed
   * @param lost told once when it is another's now, or may be since the database, though asked, has not answered for twice its length
   */
  keep(lease: Lease, claimedAt: Moment, lost: () => void): KeptLease {
    const kept: Kept = { lease, heldFrom: claimedAt, askedFrom: undefined, lost, waiting: [] };
    this.#kept.set(lease.token, kept);
    void this.#keep();
    return {
      stillOurs: () => (this.#certain(kept) && this.#kept.has(lease.token) ? undefined : this.#heard(kept)),
      drop: () => this.#drop(kept),
    };
  }

  #certain({ heldFrom }: Kept): boolean {
    return msSince(this.#clock, heldFrom) < this.#leaseMs * safePart;
  }

  /** Resolves when the database has confirmed the lease. */
  #heard(kept: Kept): Promise<void> {
    if (!this.#kept.has(kept.lease.token)) return Promise.reject(new AppError("LEASE_LOST"));
    this.#hurry.abort(notNeeded);
    return new Promise((resolve, reject) => kept.waiting.push({ resolve, reject }));
  }

  #drop(kept: Kept): void {
    if (!this.#kept.delete(kept.lease.token)) return;
    for (const { reject } of kept.waiting.splice(0)) reject(new AppError("LEASE_LOST"));
    if (this.#kept.size === 0) this.#hurry.abort(notNeeded);
  }

  /** Renews for as long as there is something to renew. */
  async #keep(): Promise<void> {
    if (this.#keeping) return;
    this.#keeping = true;
    let pauseMs = this.#leaseMs / renewalsPerLease;
    while (this.#kept.size > 0) {
      await this.#clock.sleep(pauseMs, this.#hurry.signal).catch(() => undefined);
      this.#hurry = new AbortController();
      if (this.#kept.size === 0) break;
      // Whatever goes wrong with one, the others are renewed.
      const all = await this.#renewAll().catch((thrown: unknown) => {
        this.#log.error("Leases could not be looked after; trying again.", { code: codeOf(thrown), count: this.#kept.size });
        return false;
      });
      pauseMs = this.#leaseMs / (all ? renewalsPerLease : hurriedPerLease);
    }
    this.#keeping = false;
  }

  /** @returns whether all that are kept have been renewed, or are lost */
  async #renewAll(): Promise<boolean> {
    const asked = momentOf(this.#clock);
    const round = [...this.#kept.values()];
    for (const kept of round) kept.askedFrom ??= asked;
    const answered = this.#queue
      .renew(
        round.map(({ lease }) => lease),
        this.#leaseMs,
      )
      .then(
        (renewed) => this.#take(round, renewed, asked),
        (thrown: unknown) => {
          this.#log.warn("Leases could not be renewed; trying again.", { code: codeOf(thrown), count: round.length });
          return false;
        },
      );
    // One that hangs must not keep the next from being tried; what it says later still counts.
    const over = new AbortController();
    const late = this.#clock.sleep(this.#leaseMs / renewalsPerLease, over.signal).catch(() => undefined);
    const all = await Promise.race([answered, late.then(() => false)]);
    over.abort(notNeeded);
    for (const kept of round) {
      if (kept.askedFrom && msSince(this.#clock, kept.askedFrom) >= this.#leaseMs * lengthsOfDoubt) this.#lose(kept);
    }
    return all;
  }

  #take(round: readonly Kept[], renewed: ReadonlyMap<string, Renewed>, asked: Moment): boolean {
    let all = true;
    for (const kept of round) {
      const outcome = renewed.get(kept.lease.token) ?? "lost";
      if (outcome === "lost") this.#lose(kept);
      else if (outcome === "busy") all = false;
      else {
        kept.askedFrom = undefined;
        // What one that hung says late must not undo what a later one has said.
        if (asked.monotonic >= kept.heldFrom.monotonic) kept.heldFrom = asked;
        // The answer itself may have come late.
        if (this.#certain(kept)) for (const { resolve } of kept.waiting.splice(0)) resolve();
        else all = false;
      }
    }
    return all;
  }

  #lose(kept: Kept): void {
    if (!this.#kept.has(kept.lease.token)) return;
    this.#drop(kept);
    kept.lost();
  }
}
