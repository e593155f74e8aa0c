import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Ingestion } from "../ingest/pipeline.ts";
import type { DocumentSource } from "./document-source.ts";
import type { SourceLease, SourceRows, SourceSchedule, StoredSource, SyncReport } from "./source-store.ts";
import { syncSource } from "./sync-source.ts";

/** How often due sources are looked for. */
const TICK_MS = 30_000;
/** Sources that one process reads at once: a slow site must not hold up everybody else's. */
const AT_ONCE = 3;
/** A run whose process died is taken over after this. */
const LEASE_MS = 120_000;

export interface SourceRunnerParts {
  readonly schedule: SourceSchedule;
  readonly ingestion: Ingestion;
  readonly clock: Clock;
  readonly log: Logger;
  rowsOf(tenant: TenantId): SourceRows;
  /** @throws AppError SOURCE_INVALID when this program cannot read that kind of source */
  open(tenant: TenantId, source: StoredSource): DocumentSource;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly removeMany?: boolean;
  onProgress?(done: number): void;
}

/** Runs sources when they are due and when somebody asks for it: each at most once at a time, over all processes of one database. */
export class SourceRunner {
  readonly #parts: SourceRunnerParts;
  readonly #stop = new AbortController();
  #woken = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(parts: SourceRunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running ??= Promise.all(Array.from({ length: AT_ONCE }, () => this.#work()));
  }

  /** Resolves when the run in hand, if any, has given up and given its source back. */
  async stop(): Promise<void> {
    this.#stop.abort(new AppError("CANCELLED"));
    await this.#running;
  }

  /** @throws AppError SOURCE_BUSY, SOURCE_UNKNOWN, SOURCE_INVALID; the signal's reason */
  async run(tenant: TenantId, source: string, options: RunOptions): Promise<SyncReport> {
    const lease = await this.#parts.schedule.claim(tenant, source, LEASE_MS);
    if (!lease) throw new AppError("SOURCE_BUSY");
    return this.#run(lease, options);
  }

  /** Has a source read as soon as may be: something has changed there. */
  async hasten(tenant: TenantId, source: string): Promise<void> {
    await this.#parts.schedule.hasten(tenant, source);
    this.#woken.abort();
    this.#woken = new AbortController();
  }

  async #work(): Promise<void> {
    const { schedule, clock, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      // Taken before the look: who wakes us after it is not missed.
      const woken = this.#woken.signal;
      try {
        const lease = await schedule.claimDue(LEASE_MS);
        if (lease) await this.#run(lease, { signal });
        else await clock.sleep(TICK_MS, AbortSignal.any([signal, woken])).catch(() => {});
      } catch (thrown) {
        if (signal.aborted) return;
        log.error("Sources could not be synchronised.", { code: thrown instanceof AppError ? thrown.code : "INTERNAL" });
        await clock.sleep(TICK_MS, signal).catch(() => {});
      }
    }
  }

  async #run(lease: SourceLease, options: RunOptions): Promise<SyncReport> {
    const { clock, schedule, ingestion, log } = this.#parts;
    const rows = this.#parts.rowsOf(lease.tenant);
    const ended = new AbortController();
    const signal = AbortSignal.any([options.signal, ended.signal]);
    void this.#renew(lease, ended);
    let ran = false;
    try {
      const source = await rows.find(lease.source);
      if (!source) throw new AppError("SOURCE_UNKNOWN");
      const from = this.#parts.open(lease.tenant, source);
      const report = await syncSource({ ingestion, rows, clock, log }, source, from, { ...options, tenant: lease.tenant, signal });
      await rows.finish(source.id, report);
      ran = true;
      return report;
    } finally {
      ended.abort(new AppError("CANCELLED"));
      await schedule.release(lease, ran);
    }
  }

  /** Keeps the lease while the run goes on, and ends the run when it was lost. */
  async #renew(lease: SourceLease, ended: AbortController): Promise<void> {
    const { clock, schedule } = this.#parts;
    while (!ended.signal.aborted) {
      try {
        await clock.sleep(LEASE_MS / 3, ended.signal);
        if (!(await schedule.renew(lease, LEASE_MS))) ended.abort(new AppError("LEASE_LOST"));
      } catch {
        // The run ended, or the database is away for a moment: the lease holds a while without being renewed.
      }
    }
  }
}
