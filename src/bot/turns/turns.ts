import { codeOf } from "../../core/errors.ts";
import type { TenantId, TurnId } from "../../core/ids.ts";
import { type Halt, readHalt } from "./halt.ts";
import { Leases } from "./leases.ts";
import { type Moment, momentOf } from "./moment.ts";
import { type TurnParts, TurnRun, type TurnRunLimits } from "./turn-run.ts";
import type { BeginWish, Begun, Lease, StartedTurn, TurnQueue } from "./turn-store.ts";

export interface TurnLimits extends TurnRunLimits {
  /** How long a turn is ours without a word from us. */
  readonly leaseMs: number;
  /** Answers at once for one tenant, over all processes. */
  readonly perTenant: number;
  /** Answers at once in this process. */
  readonly perProcess: number;
  /** How often the queue is looked at for turns of other processes. */
  readonly pollMs: number;
  /** How often it is looked up whether somebody, at another process, wants an answer of this one to end. */
  readonly haltPollMs: number;
}

const defaultTurnLimits: TurnLimits = {
  perTenant: 8,
  perProcess: 64,
  leaseMs: 15_000,
  pollMs: 2_000,
  haltPollMs: 300,
  maxAttempts: 2,
  // A tool may be granted five minutes.
  stallMs: 330_000,
  abortMs: 2_000,
  stopMs: 400,
};

/** A place for an answer in this process, kept free for a question that is being stored. */
export interface KeptPlace {
  readonly wish: BeginWish;
  /** It was begun as it was stored: makes its answer here. */
  begin(begun: Begun): void;
  /** It was not. */
  leave(): void;
}

/** How long handing over may take: aborting, letting Slack have what was written, and one statement each. */
const handOverMs = 10_000;

/**
 * Works the queue of turns off: one answer per thread at a time, many threads at once, tenants in turn. Any number of processes may
 * do so over one database.
 */
export class Turns {
  readonly #parts: TurnParts & { readonly queue: TurnQueue };
  readonly #limits: TurnLimits;
  readonly #leases: Leases;
  readonly #running = new Set<TurnRun>();
  readonly #stop = new AbortController();
  #served: TenantId | undefined;
  /** Whether turns may wait behind those that run, as far as this process knows; others' are found by polling. */
  #someWait = true;
  #pumping = false;
  #nudged = false;
  #polling: Promise<void> | undefined;
  #watching = false;
  /** Places that are kept free for questions that are being stored. */
  #kept = 0;
  /** Places that a claim under way may fill. */
  #claiming = 0;
  #handsOver = false;

  constructor(parts: TurnParts & { readonly queue: TurnQueue }, limits: Partial<TurnLimits> = {}) {
    this.#parts = parts;
    this.#limits = { ...defaultTurnLimits, ...limits };
    this.#leases = new Leases({ ...parts, leaseMs: this.#limits.leaseMs });
  }

  /** How many answers are being made here. */
  get running(): number {
    return this.#running.size;
  }

  start(): void {
    this.#polling ??= this.#poll();
  }

  /** Something may be waiting: look now rather than at the next poll. */
  nudge(): void {
    this.#nudged = true;
    void this.#pump();
  }

  /** A place for a question that is being stored; undefined when there is none, or nothing new is taken on. */
  keepPlace(): KeptPlace | undefined {
    const { leaseMs, perTenant } = this.#limits;
    if (!this.#polling || this.#stop.signal.aborted || this.#free <= 0) return undefined;
    const since = momentOf(this.#parts.clock);
    this.#kept += 1;
    return {
      wish: { leaseMs, perTenant },
      begin: ({ lease, turn, moreWait }) => {
        this.#kept -= 1;
        this.#run(lease, since, turn);
        if (moreWait) this.nudge();
      },
      leave: () => {
        const wasLast = this.#free <= 0;
        this.#kept -= 1;
        // Others may wait for this very place.
        if (wasLast && this.#someWait) this.nudge();
      },
    };
  }

  /** How many more answers may be made here. */
  get #free(): number {
    return this.#limits.perProcess - this.#running.size - this.#kept - this.#claiming;
  }

  /** Ends answers that are being made here as people wish; other processes find out by themselves. */
  halt(turns: readonly TurnId[], halt: Halt): void {
    for (const run of this.#running) if (turns.includes(run.lease.turn)) run.halt(halt);
  }

  /** The asker of an answer that is being made here has added something to it; other processes find out by themselves. */
  added(turn: TurnId): void {
    for (const run of this.#running) if (run.lease.turn === turn) run.added();
  }

  /** Takes nothing new on, lets running answers end for `graceMs`, then hands the rest over. Resolves when nothing runs here any more. */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#stop.abort();
    await this.#polling;
    if (await this.#idleWithin(graceMs)) return;
    this.#parts.log.warn("Unfinished answers are handed over.", { count: this.#running.size });
    this.#handsOver = true;
    for (const run of this.#running) run.handOver();
    if (await this.#idleWithin(handOverMs)) return;
    this.#parts.log.error("Some answers could not be handed over; their leases run out by themselves.", { count: this.#running.size });
  }

  /** Whether everything here came to rest in time. */
  async #idleWithin(ms: number): Promise<boolean> {
    const over = new AbortController();
    const late = this.#parts.clock.sleep(ms, over.signal).then(
      () => false,
      () => false,
    );
    const idle = await Promise.race([this.#idle(over.signal).then(() => true), late]);
    over.abort();
    return idle;
  }

  /** Resolves when nothing runs and nothing is about to. */
  async #idle(giveUp: AbortSignal): Promise<void> {
    while (!giveUp.aborted && (this.#pumping || this.#kept > 0 || this.#running.size > 0)) {
      await Promise.all([...this.#running].map((run) => run.done));
      await this.#parts.clock.sleep(1);
    }
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.nudge();
      await this.#parts.clock.sleep(this.#limits.pollMs, signal).catch(() => undefined);
    }
  }

  /** Looks up what is wanted of the answers that are being made here, for as long as there are any. */
  async #watch(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    while (this.#running.size > 0) {
      await this.#parts.clock.sleep(this.#limits.haltPollMs);
      await this.#lookForHalts().catch((thrown: unknown) =>
        this.#parts.log.warn("It cannot be looked up which answers are to stop; trying again.", { code: codeOf(thrown) }),
      );
    }
    this.#watching = false;
  }

  async #lookForHalts(): Promise<void> {
    const runs = new Map([...this.#running].map((run) => [run.lease.turn, run]));
    if (runs.size === 0) return;
    for (const { turn, halt } of await this.#parts.queue.halted([...runs.keys()])) {
      const run = runs.get(turn);
      if (halt === "gone") run?.lose();
      else if (halt === "added-to") run?.added();
      else if (run && !run.halted) run.halt(await readHalt(halt, run.lease, this.#parts.turnsOf(run.lease.tenant)));
    }
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#nudged && !this.#stop.signal.aborted) {
        this.#nudged = false;
        await this.#claimAll();
      }
    } catch (thrown) {
      this.#parts.log.error("The queue of turns cannot be read; trying again.", { code: codeOf(thrown) });
    } finally {
      this.#pumping = false;
    }
  }

  async #claimAll(): Promise<void> {
    const { leaseMs, perTenant } = this.#limits;
    this.#someWait = true;
    while (!this.#stop.signal.aborted && this.#free > 0) {
      const claimedAt = momentOf(this.#parts.clock);
      const most = this.#free;
      this.#claiming = most;
      const except = [...this.#running].map(({ lease }) => lease.turn);
      const claims = await this.#parts.queue.claim({ leaseMs, perTenant, most, after: this.#served, except }).finally(() => {
        this.#claiming = 0;
      });
      const [first] = claims;
      this.#someWait = first?.moreWait ?? true;
      if (!first) return;
      this.#served = first.tenant;
      for (const lease of claims) this.#run(lease, claimedAt);
      if (!this.#someWait) return;
    }
  }

  #run(lease: Lease, claimedAt: Moment, begun?: StartedTurn): void {
    const run = new TurnRun(lease, this.#leases, claimedAt, this.#parts, this.#limits, begun);
    this.#running.add(run);
    if (this.#handsOver) run.handOver();
    void this.#watch();
    void run.done.then(() => {
      this.#running.delete(run);
      if (this.#someWait || run.unfinished) this.nudge();
    });
  }
}
