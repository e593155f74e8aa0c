import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import PQueue from "p-queue";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { DocumentId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Principal } from "../../core/principal.ts";
import type { Embedder, EmbedderInUse } from "../embedder/port.ts";
import { terms } from "../full-text/terms.ts";
import type { DocumentRows, KnowledgeStorage, NewDocument, NewPassage, StoredDocument } from "../storage.ts";
import { chunk } from "./chunk.ts";
import type { ExtractedDocument } from "./extract/document.ts";
import { checkSize, findFiles, readBytes } from "./files.ts";
import { indexedText, textHash } from "./indexed-text.ts";
import type { Extractor } from "./reader/extractor.ts";

/** Adds documents, keeps them up to date, removes them. */
export interface Ingestion {
  /** One report per file, in order. A file that fails has a reason and the others go on. Throws only the signal's reason. */
  ingest(inputs: IngestInputs, options: IngestOptions): Promise<readonly FileReport[]>;
  /** False when there was no such document. */
  remove(tenant: TenantId, document: DocumentId): Promise<boolean>;
  /** A holder lets go of a document: with its grants alone, or with all of it when nobody else holds it ("gone"). */
  release(tenant: TenantId, document: DocumentId, holder: string): Promise<"gone" | "held">;
}

/** Paths of files and folders, or files at hand. */
export type IngestInputs = { readonly paths: readonly string[] } | { readonly files: readonly FileAtHand[] };

export interface FileAtHand {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What makes it the same document when it comes again, e.g. "slack:F0123". */
  readonly sourceUri: string;
}

export interface IngestOptions {
  readonly tenant: TenantId;
  /** Who may read the documents. They replace whatever was granted before. */
  readonly grants: readonly Principal[];
  /** Who grants that, where others may hold the same documents: their grants stay. A document lives as long as anybody holds it. */
  readonly holder?: string;
  readonly signal: AbortSignal;
  onProgress?(progress: IngestProgress): void;
}

export interface IngestProgress {
  /** Files. */
  readonly done: number;
  readonly total: number;
  /** The file that is done, or is being worked on. */
  readonly path: string;
  /** How far that file has come, while it is being worked on: pages read (or what the format has instead), passages embedded or stored. */
  readonly part?: { readonly step: "read" | "embedded" | "stored"; readonly done: number; readonly total: number };
}

export interface FileReport {
  readonly path: string;
  readonly status: "added" | "replaced" | "unchanged" | "failed";
  readonly passages: number;
  readonly documentId?: DocumentId;
  /** For formats that have pages. */
  readonly pages?: number;
  /** Why it failed and how to mend it. */
  readonly reason?: string;
  /** What else should be known, e.g. that some pages hold no text. */
  readonly notes?: readonly string[];
}

export interface IngestionParts {
  readonly storage: KnowledgeStorage;
  readonly embedder: EmbedderInUse;
  readonly extractor: Extractor;
  readonly clock: Clock;
  readonly log: Logger;
  /** Documents have changed: what is kept beside the database may be brought up to date. */
  onChange?(): void;
}

/** Raise it when extraction, chunking or terms change: documents are then made anew when they come again. */
const RECIPE_VERSION = 5;

/** A content that broke the reader this often is not read again until it changes, or the reader does. */
const MOST_ATTEMPTS = 3;
const QUARANTINED = `Reading it failed ${MOST_ATTEMPTS} times. Split it or export it anew, and add it again.`;

/** Files worked on at once: half the processors, so that answers keep the other half. */
const FILES_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

export function createIngestion(parts: IngestionParts): Ingestion {
  return {
    async ingest(inputs, options) {
      const sources = await sourcesOf(inputs);
      const reports: FileReport[] = [];
      const queue = new PQueue({ concurrency: FILES_AT_ONCE });
      let done = 0;
      await Promise.all(
        sources.map((source, index) =>
          queue.add(async () => {
            options.signal.throwIfAborted();
            const onPart = (part: NonNullable<IngestProgress["part"]>) =>
              options.onProgress?.({ done, total: sources.length, path: source.path, part });
            const report = await addOne(parts, source, { ...options, onPart });
            reports[index] = report;
            if (report.status === "added" || report.status === "replaced") parts.onChange?.();
            options.onProgress?.({ done: ++done, total: sources.length, path: source.path });
          }),
        ),
      );
      return reports;
    },
    remove: async (tenant, document) => {
      const removed = await parts.storage.forTenant(tenant).documents.remove(document);
      if (removed) parts.onChange?.();
      return removed;
    },
    release: async (tenant, document, holder) => {
      const left = await parts.storage.forTenant(tenant).documents.release(document, holder);
      parts.onChange?.();
      return left;
    },
  };
}

interface SourceFile {
  readonly path: string;
  readonly sourceUri: string;
  read(): Promise<Uint8Array>;
}

async function sourcesOf(inputs: IngestInputs): Promise<readonly SourceFile[]> {
  if ("files" in inputs) {
    return inputs.files.map(({ name, bytes, sourceUri }) => ({
      path: name,
      sourceUri,
      read: async () => {
        checkSize(bytes.length);
        return bytes;
      },
    }));
  }
  return (await findFiles(inputs.paths)).map((file) => ({ ...file, read: () => readBytes(file.path) }));
}

type FileOptions = Omit<IngestOptions, "onProgress"> & { onPart(part: NonNullable<IngestProgress["part"]>): void };

/** Never throws but for the signal: whatever goes wrong is this file's report. */
async function addOne(parts: IngestionParts, source: SourceFile, options: FileOptions): Promise<FileReport> {
  try {
    return await whenFree(parts, options, () => add(parts, source, options));
  } catch (error) {
    options.signal.throwIfAborted();
    const known = error instanceof AppError ? error : new AppError("INTERNAL", undefined, { cause: error });
    parts.log.warn("A document could not be added", { code: known.code, tenant: options.tenant });
    return { path: source.path, status: "failed", passages: 0, reason: known.message };
  }
}

/** How often, and at what distance, one of two that hold a document comes back to it while the other stores it. */
const [MOST_RETURNS, RETURN_MS] = [30, 2_000];

/** Two may bring the same document at one time: neither is to fail because of the other, nor to hear of it. */
async function whenFree<T>({ clock }: IngestionParts, { holder, signal }: FileOptions, work: () => Promise<T>): Promise<T> {
  for (let returns = 0; ; returns++) {
    try {
      return await work();
    } catch (error) {
      const busy = error instanceof AppError && error.code === "DOCUMENT_BUSY";
      if (!busy || holder === undefined || returns >= MOST_RETURNS) throw error;
      // Each longer than the one before, so that the other gets done.
      await clock.sleep(RETURN_MS * (returns + 1), signal);
    }
  }
}

async function add(
  { storage, embedder, extractor, clock }: IngestionParts,
  { path, sourceUri, read }: SourceFile,
  { tenant, grants, holder, signal, onPart }: FileOptions,
): Promise<FileReport> {
  const counted = (step: NonNullable<IngestProgress["part"]>["step"]) => (done: number, total: number) => onPart({ step, done, total });
  const { documents } = storage.forTenant(tenant);
  const model = embedder();
  const bytes = await read();
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  const recipe = `${RECIPE_VERSION}`;
  const before = await documents.findBySource(sourceUri, holder);
  const kept =
    before?.contentHash === contentHash && recipeOf(before) === recipe
      ? await keep(documents, before, path, { grants, holder })
      : undefined;
  if (kept) return kept;
  const reading = { contentHash, reader: RECIPE_VERSION };
  if ((await documents.countFailedReadings(reading)) >= MOST_ATTEMPTS) throw new AppError("DOCUMENT_QUARANTINED", QUARANTINED);
  const extracted = await extractor
    .extract({ tenant, name: path, bytes, onProgress: counted("read") }, signal)
    .catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === "READER_GAVE_UP") await documents.addFailedReading(reading, clock.now());
      throw error;
    });
  const passages = await embedded(extracted, { embedder: model, documents, onProgress: counted("embedded") }, signal);
  const made: NewDocument = {
    title: extracted.title,
    sourceUri,
    contentHash,
    recipe,
    format: extracted.format,
    ...(extracted.author === undefined ? {} : { author: extracted.author }),
    ...(extracted.pages === undefined ? {} : { pages: extracted.pages }),
    notes: extracted.notes,
    ingestedAt: clock.now(),
    grants,
    ...(holder === undefined ? {} : { holder }),
    passages,
  };
  const documentId = await documents.replace(made, counted("stored"));
  // What others hold is new to who holds it from now on.
  return { path, status: before?.grants ? "replaced" : "added", passages: passages.length, documentId, ...toldOf(extracted) };
}

const toldOf = ({ pages, notes }: { readonly pages?: number; readonly notes: readonly string[] }): Pick<FileReport, "pages" | "notes"> => ({
  ...(pages !== undefined && { pages }),
  ...(notes.length > 0 && { notes }),
});

/**
 * The content is known already: at most the grants changed. It is told of as if it had just been read: whoever adds it cannot tell that it
 * was there. Undefined when it has gone meanwhile.
 */
async function keep(
  documents: DocumentRows,
  before: StoredDocument,
  path: string,
  { grants, holder }: { readonly grants: readonly Principal[]; readonly holder: string | undefined },
): Promise<FileReport | undefined> {
  const sorted = (principals: readonly Principal[]) => [...new Set(principals)].sort().join("\n");
  const same = before.grants !== undefined && sorted(before.grants) === sorted(grants);
  if (!same && !(await documents.setGrants(before.id, grants, holder))) return undefined;
  const status = same ? "unchanged" : before.grants ? "replaced" : "added";
  return { path, status, passages: before.passages, documentId: before.id, ...toldOf(before) };
}

/** What a document was made by; earlier versions named the embedding model behind a colon, too. */
const recipeOf = ({ recipe }: { readonly recipe: string }): string => recipe.split(":")[0] ?? "";

/** Texts that are embedded between two reports of progress; an endpoint may take as many in one request. */
const EMBEDDED_AT_ONCE = 256;

/** Everything slow happens here, before anything is stored. */
async function embedded(
  extracted: ExtractedDocument,
  {
    embedder,
    documents,
    onProgress,
  }: { readonly embedder: Embedder; readonly documents: DocumentRows; onProgress(done: number, total: number): void },
  signal: AbortSignal,
): Promise<readonly NewPassage[]> {
  const chunks = chunk(extracted.blocks, embedder.tokens);
  if (chunks.length === 0) throw new AppError("DOCUMENT_EMPTY");
  const texts = chunks.map((each) => indexedText(extracted.title, each));
  const hashes = texts.map(textHash);
  const known = await documents.knownVectors(embedder.id, [...new Set(hashes)]);
  const missing = texts.filter((_, index) => !known.has(hashes[index] ?? ""));
  const made: Float32Array[] = [];
  while (made.length < missing.length) {
    const some = missing.slice(made.length, made.length + EMBEDDED_AT_ONCE);
    const vectors = await embedder.embed(some, "passage", signal);
    if (vectors.length !== some.length) throw new AppError("EMBEDDER_FAILED", "It gave another number of vectors than texts.");
    made.push(...vectors);
    onProgress(made.length, missing.length);
  }
  let next = 0;
  return chunks.map((each, index) => {
    const hash = hashes[index] ?? "";
    const vector = known.get(hash) ?? made[next++] ?? new Float32Array();
    return { ...each, terms: terms(texts[index] ?? ""), embedding: { model: embedder.id, vector, textHash: hash } };
  });
}
