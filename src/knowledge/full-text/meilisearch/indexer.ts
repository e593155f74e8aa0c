import type { Clock } from "../../../core/clock.ts";
import { AppError, codeOf } from "../../../core/errors.ts";
import { type DocumentId, isUuid, type TenantId } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { WakingLoop } from "../../../core/waking-loop.ts";
import type { IndexedDocument, IndexJob, IndexRows } from "./index-rows.ts";
import type { Entry, KeptEntry, MeiliServer } from "./meili-server.ts";
import { settingsMigrations, settingsNow } from "./settings.ts";

export interface IndexerParts {
  readonly server: MeiliServer;
  readonly clock: Clock;
  readonly log: Logger;
  tenants(): Promise<readonly TenantId[]>;
  rowsOf(tenant: TenantId): IndexRows;
}

/** What was found to differ between an index and the database, and was mended. */
export interface MendReport {
  /** Documents of which entries were missing or stale. */
  readonly rewritten: number;
  /** Documents of which the database knows nothing. */
  readonly removed: number;
  /** Whether the index was missing, or set up otherwise. */
  readonly prepared: boolean;
}

/** How often documents that changed are looked for; what changes in this process is told at once. */
const TICK_MS = 15_000;
/** How often everything is compared. */
const MEND_MS = 6 * 3_600_000;
/** Documents taken at once, and for how long: longer than the slowest takes. */
const [JOBS, LEASE_MS] = [20, 1_800_000];

/**
 * Keeps each tenant's index as the database has its documents. What is to be written is the difference between the two, so that nothing is lost by
 * a crash, a server that was away, or one that forgot everything.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  readonly #loop: WakingLoop;
  #mended = Number.NEGATIVE_INFINITY;
  /** Tenants whose index may not be what it should be, to be compared before the others' turn. */
  readonly #doubted = new Set<TenantId>();

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    this.#loop = new WakingLoop({ clock: parts.clock, restMs: TICK_MS, round: (signal) => this.#round(signal) });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Something has changed: it need not wait for the next look. */
  wake(): void {
    this.#loop.wake();
  }

  /** The index is not what it should be: everything is compared at the next look, which is now. */
  doubt(): void {
    this.#mended = Number.NEGATIVE_INFINITY;
    this.wake();
  }

  /** Writes what differs. @throws AppError FULL_TEXT_FAILED when the server is away; a document that it refuses is noted instead */
  async sync(tenant: TenantId, signal: AbortSignal = this.#loop.signal): Promise<void> {
    const rows = this.#parts.rowsOf(tenant);
    for (let prepared = false; ; prepared = true) {
      const jobs = await rows.claim(JOBS, LEASE_MS);
      if (jobs.length === 0) return;
      try {
        if (!prepared) await this.#prepare(tenant, rows, signal);
      } catch (thrown) {
        await rows.release(jobs);
        throw thrown;
      }
      for (const [index, job] of jobs.entries()) {
        await this.#write(tenant, rows, job, signal).catch(async (thrown: unknown) => {
          await rows.release(jobs.slice(index));
          throw thrown;
        });
      }
    }
  }

  /** Compares everything and mends it. @throws AppError FULL_TEXT_FAILED when the server is away */
  async mend(tenant: TenantId, signal: AbortSignal = this.#loop.signal): Promise<MendReport> {
    const { server } = this.#parts;
    const rows = this.#parts.rowsOf(tenant);
    if ((await rows.status()).documents === 0) {
      // Nothing to find: nothing may stay behind, either.
      await server.drop(tenant, signal);
      await rows.reset();
      return { rewritten: 0, removed: 0, prepared: false };
    }
    const settings = await server.settings(tenant);
    const prepared = settings === undefined || !holds(settings, settingsNow);
    if (settings === undefined) await rows.reset();
    else if (prepared) await rows.setSettingsVersion(0);
    if (prepared) await this.#prepare(tenant, rows, signal);
    const { missing, crowded, unknown } = await this.#compare(tenant, rows);
    if (unknown.every(isUuid)) {
      for (const document of crowded) await server.remove(tenant, document, signal);
      await rows.redo([...missing, ...crowded, ...unknown]);
    } else {
      // Somebody else has written to it: it is made anew.
      await server.drop(tenant, signal);
      await rows.reset();
    }
    await this.sync(tenant, signal);
    return { rewritten: missing.length + crowded.length, removed: unknown.length, prepared };
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    const now = clock.monotonic();
    const mends = now - this.#mended >= MEND_MS;
    if (mends) this.#mended = now;
    try {
      for (const tenant of await this.#parts.tenants()) {
        const doubted = this.#doubted.delete(tenant);
        // What is wrong with one workspace's index keeps no other from its own.
        await (mends || doubted ? this.mend(tenant) : this.sync(tenant)).catch((thrown: unknown) => {
          if (signal.aborted) throw thrown;
          if (mends || doubted) this.#doubted.add(tenant);
          log.warn("A workspace's full-text index could not be kept current.", { tenant, code: codeOf(thrown) });
        });
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (mends) this.#mended = Number.NEGATIVE_INFINITY;
      log.warn("The full-text indexes could not be kept current.", { code: codeOf(thrown) });
    }
  }

  async #prepare(tenant: TenantId, rows: IndexRows, signal: AbortSignal): Promise<void> {
    const version = await rows.settingsVersion();
    if (version >= settingsMigrations.length) return;
    await this.#parts.server.prepare(tenant, settingsMigrations.slice(version), signal);
    await rows.setSettingsVersion(settingsMigrations.length);
  }

  /** One document at a time: what the server does not like about one keeps no other out. */
  async #write(tenant: TenantId, rows: IndexRows, job: IndexJob, signal: AbortSignal): Promise<void> {
    const { server, log } = this.#parts;
    const document = await rows.read(job.document);
    try {
      if (document) await server.write(tenant, job.document, document.revision, entriesOf(job.document, document), signal);
      else await server.remove(tenant, job.document, signal);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== "FULL_TEXT_REFUSED") throw thrown;
      await rows.fail(job, document?.revision, thrown.message);
      log.warn("A document could not be put into the full-text index.", { tenant, code: thrown.code });
      this.#doubted.add(tenant);
      return;
    }
    await rows.finish(job, document?.revision);
  }

  /** Documents of which entries are missing or stale, of which there are too many, and those that the database does not know. */
  async #compare(tenant: TenantId, rows: IndexRows): Promise<Record<"missing" | "crowded" | "unknown", DocumentId[]>> {
    const settled = await rows.settled();
    const found = new Map<DocumentId, Counts>();
    for await (const page of this.#parts.server.entries(tenant)) count(found, page, settled);
    const waiting = await rows.waiting();
    const differing = [...settled].filter(([document, { passages }]) => {
      const { current, stale } = found.get(document) ?? none;
      return current !== passages || stale > 0;
    });
    const crowded = differing.filter(([document, { passages }]) => (found.get(document) ?? none).current > passages).map(([id]) => id);
    return {
      missing: differing.map(([id]) => id).filter((id) => !crowded.includes(id)),
      crowded,
      unknown: [...found.keys()].filter((document) => !settled.has(document) && !waiting.has(document)),
    };
  }
}

/** Entries of one document: of the revision that should be there, and of others. */
interface Counts {
  current: number;
  stale: number;
}

const none: Counts = { current: 0, stale: 0 };

function count(
  found: Map<DocumentId, Counts>,
  entries: readonly KeptEntry[],
  settled: ReadonlyMap<DocumentId, { readonly revision: string }>,
): void {
  for (const { document, revision } of entries) {
    const id = document as DocumentId;
    const counts = found.get(id) ?? { current: 0, stale: 0 };
    if (settled.get(id)?.revision === revision) counts.current++;
    else counts.stale++;
    found.set(id, counts);
  }
}

const entriesOf = (document: DocumentId, { revision, title, grants, passages }: IndexedDocument): Entry[] =>
  passages.map(({ id, heading = "", text }) => ({ id, document, revision, grants, title, heading, text }));

/** Whether settings say what is wanted of them; lists of attributes may come back in another order. */
function holds(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(actual) && JSON.stringify([...actual].sort()) === JSON.stringify([...wanted].sort());
  if (typeof wanted !== "object" || wanted === null) return actual === wanted;
  return Object.entries(wanted).every(([key, value]) => holds((actual as Record<string, unknown> | null)?.[key], value));
}
