import type { AnswerSink } from "../../agent/events.ts";
import type { Addition, Question } from "../../agent/ports.ts";
import { type Clock, notNeeded } from "../../core/clock.ts";
import { AppError, codeOf } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { AnswerJournal, AnswerTarget, SlackAnswerSink } from "../ports.ts";
import { aborted } from "./aborted.ts";
import { KnownAdditions } from "./additions.ts";
import { answerTarget } from "./answer-target.ts";
import { askedQuestion } from "./asked-question.ts";
import { failure } from "./failure.ts";
import { causeOf, type Halt, readHalt } from "./halt.ts";
import type { KeptLease, Leases } from "./leases.ts";
import type { Moment } from "./moment.ts";
import type { Prepared } from "./prepared.ts";
import { TurnSink } from "./turn-sink.ts";
import type { Lease, StartedTurn, TenantTurns, TurnEnd, TurnQueue } from "./turn-store.ts";

export interface TurnParts {
  readonly queue: Pick<TurnQueue, "release" | "postpone">;
  readonly turnsOf: (tenant: TenantId) => TenantTurns;
  readonly prepare: (tenant: TenantId, turn: StartedTurn) => Promise<Prepared>;
  readonly ask: (question: Question, sink: AnswerSink, signal: AbortSignal) => Promise<unknown>;
  /** What the asker has added to an answer that is being made. Absent where nothing can be added. */
  readonly additions?: (lease: Lease) => Promise<readonly Addition[]>;
  readonly openSink: (target: AnswerTarget, journal: AnswerJournal) => SlackAnswerSink;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface TurnRunLimits {
  /** Tries that may be cut off before the answer is given up as interrupted. */
  readonly maxAttempts: number;
  /** Longest time without an event before a turn is given up. Longer than the longest tool may take. */
  readonly stallMs: number;
  /** How long an abort is waited for before the turn goes on without whoever ignores it. */
  readonly abortMs: number;
  /** The same when somebody has stopped the answer: people are told within a second. */
  readonly stopMs: number;
}

/** One try at one turn: from the claim to exactly one end, or to leaving it to another process. */
export class TurnRun {
  readonly lease: Lease;
  /** Resolves, never rejects, when this process is done with the turn. */
  readonly done: Promise<void>;
  readonly #parts: TurnParts;
  readonly #limits: TurnRunLimits;
  readonly #log: Logger;
  readonly #kept: KeptLease;
  readonly #additions: KnownAdditions;
  /** Aborts when the turn must stop here: lease lost, shutdown. */
  readonly #abandon = new AbortController();
  /** Aborts when people want the answer to end, or to begin anew. */
  readonly #halting = new AbortController();
  /** Aborts when the run is over, whatever came of it. */
  readonly #over = new AbortController();
  #halt: Halt | undefined;
  #sink: TurnSink | undefined;
  #ended = false;
  /** Whether a message may be on its way to Slack. */
  #writing = false;

  /**
   * @param leases keeps the lease
   * @param claimedAt just before the lease was claimed
   * @param begun the turn, when it was begun as the lease was taken
   */
  constructor(lease: Lease, leases: Leases, claimedAt: Moment, parts: TurnParts, limits: TurnRunLimits, begun?: StartedTurn) {
    this.lease = lease;
    this.#parts = parts;
    this.#limits = limits;
    this.#log = parts.log.with({ tenant: lease.tenant, turn: lease.turn, attempt: lease.attempt });
    this.#additions = new KnownAdditions(async () => (await parts.additions?.(lease)) ?? []);
    this.#kept = leases.keep(lease, claimedAt, () => this.#lose());
    this.done = this.#run(begun).finally(() => {
      this.#kept.drop();
      this.#over.abort(notNeeded);
    });
  }

  /** Whether people want it to end, or to begin anew. */
  get halted(): boolean {
    return this.#halt !== undefined;
  }

  /** Whether the turn waits for another try. */
  get unfinished(): boolean {
    return !this.#ended;
  }

  /** Ends it as people wish, while it is being made; an answer that is there already stays. */
  halt(halt: Halt): void {
    if (this.#halt || this.#over.signal.aborted) return;
    this.#halt = halt;
    // What is sealed goes on in the next try; an end by us must not end it.
    if (halt.kind === "replaced") this.#sink?.seal();
    else this.#sink?.stopping(causeOf(halt));
    this.#halting.abort(notNeeded);
  }

  /** Its asker has added something, which its next step takes in. */
  added(): void {
    this.#additions.grow();
  }

  /** The turn was taken out of the queue. Whoever did so knows why; that it was we ourselves is fine, too. */
  lose(): void {
    if (!this.#ended) this.#lose();
  }

  /** Stops here and gives the turn back, so that another process goes on with it. `done` tells when that has happened. */
  handOver(): void {
    if (!this.#over.signal.aborted) this.#abandon.abort(new AppError("LEASE_LOST", "It is handed over."));
  }

  /** Somebody else may be writing the answer already. */
  #lose(): void {
    this.#sink?.close();
    this.#abandon.abort(new AppError("LEASE_LOST"));
  }

  get #beginsAnew(): boolean {
    return this.#halt?.kind === "replaced";
  }

  async #run(begun: StartedTurn | undefined): Promise<void> {
    const { queue, turnsOf } = this.#parts;
    try {
      const turns = turnsOf(this.lease.tenant);
      // A statement that hangs holds nothing up beyond the lease.
      const turn = begun ?? (await this.#unlessAbandoned(turns.start(this.lease), undefined));
      if (!turn) return;
      const end = await this.#answer(turn, turns);
      if (end && (await this.#finish(turns, end))) return;
    } catch (error) {
      this.#log.error("A turn could not be worked on; it will be tried again.", { code: codeOf(error) });
      // When the database is the reason, the lease runs out instead.
      await this.#within(this.#limits.abortMs, queue.postpone(this.lease, pauseAfter(this.lease.attempt)));
      return;
    }
    // The next try would not find what is still on its way, and post it again: the lease runs out instead.
    if (this.#writing) return;
    // After a lost lease this changes nothing: the token is another one.
    await this.#within(this.#limits.abortMs, queue.release(this.lease));
  }

  /** Undefined when the turn was abandoned, or begins anew: nothing more may be written for it. */
  async #answer(turn: StartedTurn, turns: TenantTurns): Promise<TurnEnd | undefined> {
    const { lease } = this;
    if (lease.attempt > this.#limits.maxAttempts + mostNotices) {
      this.#log.error("A question is given up, and its asker could not be told.", { code: "TURN_INTERRUPTED" });
      return { status: "interrupted", errorCode: "TURN_INTERRUPTED" };
    }
    if (turn.halt) this.halt(await this.#unlessAbandoned(readHalt(turn.halt, lease, turns), { kind: turn.halt }));
    // Nobody has seen anything of it.
    if (this.#halt?.kind === "cancelled" && turn.earlierAttempts === 0) return { status: "ignored" };
    const prepared = await this.#prepare(turn);
    if (this.#abandon.signal.aborted || this.#beginsAnew) return undefined;
    if (prepared?.kind === "ignore") return { status: "ignored" };

    const target = answerTarget(lease, turn, prepared);
    const journal = { ...turns.journal(lease), stillOurs: this.#kept.stillOurs };
    const sink = new TurnSink(this.#parts.openSink(target, journal), this.#parts.clock);
    this.#sink = sink;
    if (this.#halt) sink.stopping(causeOf(this.#halt));
    if (this.#halt || !prepared) await sink.stop();
    else await this.#write(prepared, turn, sink);
    if (this.#abandon.signal.aborted || (this.#beginsAnew && !sink.end)) {
      // What was said so far may still reach Slack; the next try continues from there.
      await this.#within(this.#limits.abortMs, sink.settled());
      return this.#leave(sink);
    }
    if (!sink.end) await sink.write(failure("INTERNAL", lease.turn));
    const delivered = await this.#delivered(sink);
    if (this.#abandon.signal.aborted) return this.#leave(sink);
    const end = sink.end ?? { status: "failed" };
    return delivered ? (end.errorCode === "TURN_INTERRUPTED" ? { ...end, status: "interrupted" } : end) : { ...end, status: "failed" };
  }

  /** Writes nothing more, and waits for what is being written at this moment. */
  async #leave(sink: TurnSink): Promise<undefined> {
    sink.close();
    this.#writing = true;
    const written = sink.settled().catch(() => undefined);
    await this.#within(
      this.#limits.abortMs,
      written.then(() => {
        this.#writing = false;
      }),
    );
  }

  /** Undefined when the answer is stopped before that is known. */
  async #prepare(turn: StartedTurn): Promise<Prepared | undefined> {
    const { maxAttempts, stopMs, abortMs } = this.#limits;
    // Without a look at its asker not even the end of an answer can be written: a stop waits for it, for a moment.
    const patienceMs = this.#halt ? abortMs : stopMs;
    const stopped = aborted(this.#halting.signal).then(() => this.#within(patienceMs, aborted(this.#over.signal)));
    const preparing = this.#parts.prepare(this.lease.tenant, turn);
    preparing.catch(() => undefined);
    const understood = await this.#unlessAbandoned(Promise.race([preparing, stopped.then(() => undefined)]), undefined);
    const interrupted = this.lease.attempt > maxAttempts && understood && understood.kind !== "ignore";
    return interrupted ? { kind: "refuse", code: "TURN_INTERRUPTED" } : understood;
  }

  async #write(prepared: Exclude<Prepared, { kind: "ignore" }>, turn: StartedTurn, sink: TurnSink): Promise<void> {
    switch (prepared.kind) {
      case "reply":
        return sink.write({ type: "answer-end", text: prepared.text, outcome: "answered" });
      case "refuse":
        return sink.write(failure(prepared.code, turn.id));
      case "ask":
        return this.#ask(prepared, turn, sink);
      default:
        prepared satisfies never;
    }
  }

  async #ask(prepared: Extract<Prepared, { kind: "ask" }>, turn: StartedTurn, sink: TurnSink): Promise<void> {
    const stalled = new AbortController();
    const signal = AbortSignal.any([this.#abandon.signal, this.#halting.signal, stalled.signal]);
    if (turn.addedTo) this.#additions.grow();
    const question = askedQuestion(this.lease.tenant, turn, prepared, () => this.#additions.soFar());
    this.#abandon.signal.addEventListener("abort", () => sink.seal(), { once: true });
    const asked = this.#parts.ask(question, sink, signal).catch((error: unknown) => {
      if (!signal.aborted) this.#log.error("Asking failed.", { code: codeOf(error) });
    });
    const others = [sink.stalled(this.#limits.stallMs, signal), aborted(this.#abandon.signal), aborted(this.#halting.signal)];
    const first = await Promise.race([asked.then(() => "asked" as const), ...others]);
    if (first === "stalled") {
      this.#log.error("A turn made no progress and was given up.", { ms: sink.quietMs });
      await sink.write(failure("TURN_STALLED", turn.id));
    }
    stalled.abort(new AppError("TURN_STALLED"));
    if (first !== "asked") await this.#within(this.#halt ? this.#limits.stopMs : this.#limits.abortMs, asked);
    if (this.#halt) await sink.stop();
  }

  /** Whether Slack has the whole answer. Waits as long as Slack makes it wait, up to the stall limit. */
  async #delivered(sink: TurnSink): Promise<boolean> {
    const settled = sink.settled().then(
      () => true,
      (error: unknown) => {
        this.#log.warn("Slack did not take the answer.", { code: codeOf(error) });
        return false;
      },
    );
    const late = this.#parts.clock.sleep(this.#limits.stallMs, this.#over.signal).then(
      () => false,
      () => false,
    );
    return Promise.race([settled, late, aborted(this.#abandon.signal).then(() => false)]);
  }

  /**
   * Tries while the lease is ours: the answer is in Slack, only our book-keeping is open. What the database refuses again and again is
   * the answer's text: the turn then ends without it, since a thread must not wait for ever behind an answer that was given.
   */
  async #finish(turns: TenantTurns, end: TurnEnd): Promise<boolean> {
    let refusals = 0;
    while (!this.#abandon.signal.aborted) {
      try {
        const { answer: _unstorable, ...bare } = end;
        const storing = turns.finish(this.lease, refusals < mostRefusals ? end : bare);
        // A renewal may see that the turn has gone before we hear that it was we who have ended it.
        const stored = (await this.#unlessAbandoned(storing, undefined)) ?? (await this.#within(this.#limits.abortMs, storing)) ?? false;
        this.#ended = stored;
        if (!stored) this.#log.warn("The end of a turn was not stored: it is another process's now, or asked in other words.");
        else this.#log.info("A turn has ended.", { status: end.status, ...(end.errorCode ? { code: end.errorCode } : {}) });
        return stored;
      } catch (error) {
        if (codeOf(error) !== "DATABASE_UNREACHABLE") refusals += 1;
        this.#log.warn("The end of a turn could not be stored yet.", { code: codeOf(error) });
        await this.#parts.clock.sleep(finishPauseMs, this.#abandon.signal).catch(() => undefined);
      }
    }
    return false;
  }

  async #unlessAbandoned<T>(work: Promise<T>, otherwise: T): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, aborted(this.#abandon.signal).then(() => otherwise)]);
  }

  /** What comes of it in time; undefined also when it fails. */
  #within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
    const late = this.#parts.clock.sleep(ms, this.#over.signal).then(() => undefined);
    return Promise.race([work, late]).catch(() => undefined);
  }
}

const finishPauseMs = 500;
/** Tries to tell people that an answer is given up as interrupted, before that is only noted. */
const mostNotices = 10;
/** Pause before a turn that could not even be begun is tried again: longer each time, a minute at most. */
const pauseAfter = (attempt: number): number => Math.min(60_000, 2_500 * 2 ** attempt);
/** Tries to store an answer that the database refuses, before its turn ends without it. */
const mostRefusals = 3;
