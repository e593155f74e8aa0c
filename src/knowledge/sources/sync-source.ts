import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { AppError, codeOf } from "../../core/errors.ts";
import type { DocumentId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Ingestion } from "../ingest/pipeline.ts";
import type { DocumentSource, SourceItem } from "./document-source.ts";
import { type KnownItem, type SourceRows, type StoredSource, type SyncReport, sourceHolder } from "./source-store.ts";

/** So many documents, and more than half of all, are not removed at once without a word: more likely a disk or a site is away. */
const SUSPICIOUS_REMOVALS = 5;
/** A run takes one of few places from others' sources: what it does not get done in this time waits for the next one. */
const LONGEST_RUN_MS = 30 * 60_000;
const tooLong =
  "The source could not be read whole within half an hour. What is left, and what is gone from it, is seen to at the next run.";

export interface SyncParts {
  readonly ingestion: Ingestion;
  readonly rows: SourceRows;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface SyncOptions {
  readonly tenant: TenantId;
  readonly signal: AbortSignal;
  /** Removes however many are gone: somebody said that they are meant to be. */
  readonly removeMany?: boolean;
  onProgress?(done: number): void;
}

/**
 * Makes the library what the source is now: new items are added, changed ones replaced, moved ones renamed (known by their content), and
 * what is gone is removed. What cannot be read stays as it was and is told. Never throws but for the signal's reason.
 */
export async function syncSource(parts: SyncParts, source: StoredSource, from: DocumentSource, options: SyncOptions): Promise<SyncReport> {
  const run = new Run(parts, source, from, options);
  try {
    return await run.whole();
  } catch (thrown) {
    options.signal.throwIfAborted();
    const known = thrown instanceof AppError ? thrown : new AppError("INTERNAL", undefined, { cause: thrown });
    parts.log.warn("A source could not be synchronised.", { code: known.code, tenant: options.tenant });
    return run.report("failed", [known.message]);
  }
}

class Run {
  readonly #parts: SyncParts;
  readonly #source: StoredSource;
  readonly #from: DocumentSource;
  readonly #options: SyncOptions;
  readonly #startedAt: Date;
  readonly #begun: number;
  readonly #counts = { added: 0, changed: 0, moved: 0, removed: 0, unchanged: 0, failed: 0 };

  constructor(parts: SyncParts, source: StoredSource, from: DocumentSource, options: SyncOptions) {
    this.#parts = parts;
    this.#source = source;
    this.#from = from;
    this.#options = options;
    this.#startedAt = parts.clock.now();
    this.#begun = parts.clock.monotonic();
  }

  async whole(): Promise<SyncReport> {
    const { rows } = this.#parts;
    const { signal } = this.#options;
    const from = this.#from;
    const withdrawn = await from.withdrawn?.(signal);
    const known = new Map((await rows.items(this.#source.id)).map((item) => [item.uri, item]));
    if (withdrawn !== undefined) {
      for (const item of known.values()) await this.#drop(item);
      return this.report("partial", [withdrawn.message]);
    }
    const contents = new Map([...known.values()].filter(({ document }) => document).map((item) => [item.contentHash, item]));
    const seen = new Set<string>();
    const told = new Set<string>();
    const incomplete = new Set<string>();
    const perhapsMoved: Fresh[] = [];
    for await (const item of from.items(signal, (why) => void incomplete.add(why))) {
      signal.throwIfAborted();
      if (this.#parts.clock.monotonic() - this.#begun > LONGEST_RUN_MS) {
        incomplete.add(tooLong);
        break;
      }
      if (seen.has(item.uri)) continue;
      const before = known.get(item.uri);
      const fresh = await this.#look(item, before);
      if (fresh === "gone") told.add(item.uri);
      else seen.add(item.uri);
      if (typeof fresh !== "object") continue;
      // A new item with a known content waits until it is known what is gone: one that only moved is not embedded again.
      const twin = before?.document || from.sharedUri ? undefined : contents.get(fresh.known.contentHash);
      if (twin && !seen.has(twin.uri)) perhapsMoved.push(fresh);
      else await this.#store(fresh);
      this.#options.onProgress?.(seen.size);
    }
    const unlisted = [...known.values()].filter(
      ({ uri }) => told.has(uri) || (!seen.has(uri) && incomplete.size === 0 && !this.#mayBeBelowUnread(uri)),
    );
    const gone = await this.#reallyGone(unlisted, told);
    const rest = await this.#moved(perhapsMoved, gone);
    for (const fresh of rest.added) await this.#store(fresh);
    const notes = [...incomplete, ...(await this.#remove(rest.gone, known.size))];
    return this.report(this.#counts.failed > 0 || notes.length > 0 ? "partial" : "ok", notes);
  }

  report(status: SyncReport["status"], notes: readonly string[]): SyncReport {
    const ms = Math.round(this.#parts.clock.monotonic() - this.#begun);
    return { startedAt: this.#startedAt.toISOString(), ms, status, ...this.#counts, notes };
  }

  readonly #unread: string[] = [];

  /** Items below a folder that could not be read are not gone. */
  #mayBeBelowUnread(uri: string): boolean {
    return this.#unread.some((folder) => uri.startsWith(`${folder}/`));
  }

  /** Of what is not listed any more, what is gone also when one asks for it. */
  async #reallyGone(unlisted: readonly KnownItem[], told: ReadonlySet<string>): Promise<readonly KnownItem[]> {
    if (!this.#from.isGone) return unlisted;
    const gone: KnownItem[] = [];
    for (const item of unlisted) {
      if (told.has(item.uri) || (await this.#from.isGone(item.uri, this.#options.signal))) gone.push(item);
    }
    return gone;
  }

  /** Its content when it is new or another one; otherwise what became of it is noted here. */
  async #look(item: SourceItem, before: KnownItem | undefined): Promise<Fresh | "gone" | undefined> {
    if (item.version !== undefined && before?.version === item.version) {
      this.#counts[before.failure === undefined ? "unchanged" : "failed"]++;
      return undefined;
    }
    try {
      const read = await item.read(before?.version, this.#options.signal);
      if (read.status === "gone") return "gone";
      if (read.status === "unchanged") {
        this.#counts[before?.failure === undefined ? "unchanged" : "failed"]++;
        return undefined;
      }
      const { bytes } = read;
      const version = read.version ?? item.version;
      const contentHash = createHash("sha256").update(bytes).digest("hex");
      return { item, bytes, known: { uri: item.uri, version, contentHash, document: before?.document } };
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      this.#counts.failed++;
      this.#unread.push(item.uri);
      const reason = thrown instanceof AppError ? thrown.message : new AppError("DOCUMENT_UNREADABLE").message;
      // Without a version it is read again the next time.
      await this.#parts.rows.keep(this.#source.id, { ...before, uri: item.uri, version: undefined, failure: this.#named(item, reason) });
      return undefined;
    }
  }

  async #store({ item, bytes, known }: Fresh): Promise<void> {
    const { tenant, signal } = this.#options;
    const { ingestion, rows } = this.#parts;
    const shared = this.#from.sharedUri?.(item.uri);
    const files = [{ name: item.name, bytes, sourceUri: shared ?? documentUri(this.#source, item.uri) }];
    const holder = shared === undefined ? {} : { holder: sourceHolder(this.#source) };
    const [report] = await ingestion.ingest({ files }, { tenant, grants: this.#source.grants, ...holder, signal });
    if (!report || report.status === "failed") {
      this.#counts.failed++;
      return rows.keep(this.#source.id, { ...known, failure: this.#named(item, report?.reason ?? "It could not be read.") });
    }
    const count = { added: "added", replaced: "changed", unchanged: "unchanged" } as const;
    this.#counts[count[report.status]]++;
    const { documentId } = report;
    await rows.keep(this.#source.id, { ...known, document: documentId }).catch(async (thrown: unknown) => {
      // The source was removed while this was read: nothing of it may stay.
      if (documentId !== undefined && codeOf(thrown) === "SOURCE_UNKNOWN") await this.#letGo(documentId);
      throw thrown;
    });
  }

  /** Where an item goes by an id, its name is told with the reason. */
  #named({ name }: SourceItem, reason: string): string {
    return this.#from.sharedUri ? `${name}: ${reason}` : reason;
  }

  /** An item that appeared with the content of one that vanished was moved. */
  async #moved(added: readonly Fresh[], gone: readonly KnownItem[]): Promise<{ added: readonly Fresh[]; gone: readonly KnownItem[] }> {
    const left = [...gone];
    const rest: Fresh[] = [];
    for (const fresh of added) {
      const at = left.findIndex(({ document, contentHash }) => document !== undefined && contentHash === fresh.known.contentHash);
      const [before] = at < 0 ? [] : left.splice(at, 1);
      if (!before) {
        rest.push(fresh);
        continue;
      }
      const to = { ...fresh.known, document: before.document };
      await this.#parts.rows.move(this.#source.id, before, to, documentUri(this.#source, fresh.item.uri));
      this.#counts.moved++;
    }
    return { added: rest, gone: left };
  }

  /** @returns what people should know */
  async #remove(gone: readonly KnownItem[], before: number): Promise<readonly string[]> {
    if (!this.#from.isGone && gone.length >= SUSPICIOUS_REMOVALS && gone.length * 2 > before && !this.#options.removeMany) {
      return [
        `${gone.length} of ${before} documents are gone from the source. They were kept; remove them with: footnote source sync --remove-many`,
      ];
    }
    for (const item of gone) {
      this.#options.signal.throwIfAborted();
      await this.#drop(item);
    }
    return [];
  }

  async #drop({ uri, document }: KnownItem): Promise<void> {
    if (document !== undefined) {
      await this.#letGo(document);
      this.#counts.removed++;
    }
    await this.#parts.rows.forget(this.#source.id, uri);
  }

  #letGo(document: DocumentId): Promise<unknown> {
    return letGo(this.#parts.ingestion, this.#options.tenant, this.#source, document);
  }
}

/** Takes a source's document away, unless others hold it, too. */
const letGo = (ingestion: Letting, tenant: TenantId, source: Pick<StoredSource, "id" | "kind">, document: DocumentId): Promise<unknown> =>
  source.kind === "slack" ? ingestion.release(tenant, document, sourceHolder(source)) : ingestion.remove(tenant, document);

type Letting = Pick<Ingestion, "remove" | "release">;

/** Forgets a source and what only it holds. Gives how many documents it had. */
export async function removeSource(
  { ingestion, rows }: { readonly ingestion: Letting; readonly rows: Pick<SourceRows, "items" | "remove"> },
  tenant: TenantId,
  source: Pick<StoredSource, "id" | "kind">,
): Promise<number> {
  const documents = (await rows.items(source.id)).flatMap(({ document }) => (document === undefined ? [] : [document]));
  for (const document of documents) await letGo(ingestion, tenant, source, document);
  // What a run of it stored meanwhile, it takes away itself: it does not find the source any more.
  const late = (await rows.items(source.id)).flatMap(({ document }) =>
    document === undefined || documents.includes(document) ? [] : [document],
  );
  await rows.remove(source.id);
  for (const document of late) await letGo(ingestion, tenant, source, document);
  return documents.length + late.length;
}

interface Fresh {
  readonly item: SourceItem;
  readonly bytes: Uint8Array;
  readonly known: KnownItem;
}

/** What makes an item's document the same document at each run. */
const documentUri = (source: Pick<StoredSource, "id">, uri: string): string => `source:${source.id}:${uri}`;
