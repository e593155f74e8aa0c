import type { EntityManager } from "typeorm";
import { AppError } from "../../core/errors.ts";
import { type DocumentId, documentId, newId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { DocumentFormat, DocumentPage, ListOptions } from "../../knowledge/library.ts";
import type { DocumentRows, NewDocument, Reading, StoredDocument } from "../../knowledge/storage.ts";
import type { TenantTransaction } from "../transaction.ts";
import { lockDocument, releaseDocument, writeGrants } from "./document-holders.ts";
import { slices, withIds, writePassages } from "./passage-rows.ts";

/** Passages of a large new document that are stored between two chances for somebody's question on the embedded database. */
const PASSAGES_PER_TRANSACTION = 8;
/** In place of the version of what made it: a document of which a part is stored. */
const UNFINISHED = "unfinished";

/** A document that is stored in portions, and the mark of who does it. */
interface Begun {
  readonly id: DocumentId;
  readonly revision: string;
}

/** One tenant's documents in Postgres. */
export class DocumentRepository implements DocumentRows {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  findBySource(sourceUri: string, holder?: string): Promise<StoredDocument | undefined> {
    return this.#transaction(async (manager) => {
      const grants =
        holder === undefined
          ? "ARRAY(SELECT principal FROM document_grants g WHERE g.tenant_id = d.tenant_id AND g.document_id = d.id ORDER BY 1)"
          : "(SELECT grants FROM document_holders h WHERE h.tenant_id = d.tenant_id AND h.document_id = d.id AND h.holder = $3)";
      const [row] = await manager.query<StoredRow[]>(
        `SELECT id, content_hash, recipe, passage_count, pages, notes, ${grants} AS grants
         FROM documents d WHERE tenant_id = $1 AND source_uri = $2 AND recipe <> '${UNFINISHED}'`,
        [this.#tenant, sourceUri, ...(holder === undefined ? [] : [holder])],
      );
      return row && toStored(row);
    });
  }

  async replace(document: NewDocument, onProgress: (done: number, total: number) => void = () => {}): Promise<DocumentId> {
    const { passages } = document;
    const begun = passages.length > PASSAGES_PER_TRANSACTION ? await this.#begin(document) : undefined;
    if (begun === undefined) return this.#transaction((manager) => this.#replaceAtOnce(manager, document));
    const rows = withIds(begun.id, passages);
    for (const some of slices(rows, PASSAGES_PER_TRANSACTION)) {
      await this.#transaction(async (manager) => {
        await this.#requireMine(manager, begun);
        await writePassages(manager, this.#tenant, begun.id, some);
      });
      onProgress((some.at(-1)?.ordinal ?? 0) + 1, rows.length);
    }
    await this.#transaction(async (manager) => {
      await this.#requireMine(manager, begun);
      await this.#writeDocument(manager, document);
      await writeGrants(manager, this.#tenant, begun.id, document);
    });
    return begun.id;
  }

  /**
   * A large document that is new is stored in portions, so that questions need not wait for all of it on the embedded database: without grants nobody
   * sees it. Undefined where an earlier version is being read, which must be replaced in one piece.
   */
  #begin(document: NewDocument): Promise<Begun | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<{ id: string; revision: string }[]>(
        `INSERT INTO documents AS d (tenant_id, id, title, source_uri, content_hash, recipe, format, notes, passage_count, term_count, token_count, ingested_at)
         VALUES ($1, $2, $3, $4, '', '${UNFINISHED}', $5, '{}', 0, 0, 0, $6)
         ON CONFLICT (tenant_id, source_uri) DO UPDATE SET revision = gen_random_uuid() WHERE d.recipe = '${UNFINISHED}'
         RETURNING id, revision`,
        [this.#tenant, newId(), document.title, document.sourceUri, document.format, document.ingestedAt],
      );
      if (!row) return undefined;
      await manager.query("DELETE FROM passages WHERE tenant_id = $1 AND document_id = $2", [this.#tenant, row.id]);
      // What a process that died began, and nobody has gone on with.
      await manager.query(
        `DELETE FROM documents WHERE tenant_id = $1 AND id <> $2 AND recipe = '${UNFINISHED}' AND ingested_at < now() - interval '1 day'`,
        [this.#tenant, row.id],
      );
      return { id: documentId(row.id), revision: row.revision };
    });
  }

  /** Whoever begins anew changes the revision: two processes never mix their portions. */
  async #requireMine(manager: EntityManager, { id, revision }: Begun): Promise<void> {
    const mine = await manager.query<object[]>(
      `SELECT FROM documents WHERE tenant_id = $1 AND id = $2 AND revision = $3 AND recipe = '${UNFINISHED}' FOR NO KEY UPDATE`,
      [this.#tenant, id, revision],
    );
    if (mine.length === 0) throw new AppError("DOCUMENT_BUSY");
  }

  async #replaceAtOnce(manager: EntityManager, document: NewDocument): Promise<DocumentId> {
    const id = await this.#writeDocument(manager, document);
    await manager.query("DELETE FROM passages WHERE tenant_id = $1 AND document_id = $2", [this.#tenant, id]);
    await writeGrants(manager, this.#tenant, id, document);
    await writePassages(manager, this.#tenant, id, withIds(id, document.passages));
    return id;
  }

  /** The document itself, with the counts of its passages. */
  async #writeDocument(manager: EntityManager, document: NewDocument): Promise<DocumentId> {
    const [row] = await manager.query<{ id: string }[]>(
      `INSERT INTO documents (tenant_id, id, title, source_uri, content_hash, recipe, format, author, pages, notes,
                              passage_count, term_count, token_count, ingested_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       ON CONFLICT (tenant_id, source_uri) DO UPDATE SET
         (revision, title, content_hash, recipe, format, author, pages, notes, passage_count, term_count, token_count, ingested_at) =
         (gen_random_uuid(), excluded.title, excluded.content_hash, excluded.recipe, excluded.format, excluded.author, excluded.pages, excluded.notes,
          excluded.passage_count, excluded.term_count, excluded.token_count, excluded.ingested_at)
       RETURNING id`,
      [
        this.#tenant,
        newId(),
        document.title,
        document.sourceUri,
        document.contentHash,
        document.recipe,
        document.format,
        document.author ?? null,
        document.pages ?? null,
        document.notes,
        document.passages.length,
        document.passages.reduce((sum, passage) => sum + passage.terms.length, 0),
        document.passages.reduce((sum, passage) => sum + passage.tokens, 0),
        document.ingestedAt,
      ],
    );
    return documentId(row?.id ?? "");
  }

  knownVectors(model: string, textHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<{ text_hash: string; vector: string }[]>(
        `SELECT DISTINCT ON (text_hash) text_hash, vector::text AS vector FROM embeddings
         WHERE tenant_id = $1 AND model = $2 AND text_hash = ANY($3::uuid[])`,
        [this.#tenant, model, textHashes],
      );
      return new Map(rows.map((row) => [row.text_hash, Float32Array.from(JSON.parse(row.vector) as number[])]));
    });
  }

  setGrants(document: DocumentId, grants: readonly Principal[], holder?: string): Promise<boolean> {
    return this.#transaction(async (manager) => {
      if (!(await lockDocument(manager, this.#tenant, document))) return false;
      await writeGrants(manager, this.#tenant, document, { grants, ...(holder !== undefined && { holder }) });
      return true;
    });
  }

  release(document: DocumentId, holder: string): Promise<"gone" | "held"> {
    return this.#transaction((manager) => releaseDocument(manager, this.#tenant, document, holder));
  }

  remove(document: DocumentId): Promise<boolean> {
    return this.#transaction(async (manager) => {
      const gone = await manager.query<unknown[]>(
        "WITH gone AS (DELETE FROM documents WHERE tenant_id = $1 AND id = $2 RETURNING 1) SELECT 1 FROM gone",
        [this.#tenant, document],
      );
      return gone.length > 0;
    });
  }

  list({ principals, contains, limit, offset }: ListOptions): Promise<DocumentPage> {
    return this.#transaction(async (manager) => {
      const matching = `
        FROM documents WHERE tenant_id = $1 AND ($3::text IS NULL OR position(lower($3) IN lower(title)) > 0)
        AND id IN (SELECT document_id FROM document_grants WHERE tenant_id = $1 AND principal = ANY($2))`;
      const filter = [this.#tenant, principals, contains ?? null];
      const [count] = await manager.query<{ total: number }[]>(`SELECT count(*)::int AS total ${matching}`, filter);
      const rows = await manager.query<ListedRow[]>(
        `SELECT id, title, format, pages, passage_count, ingested_at ${matching} ORDER BY lower(title), id LIMIT $4 OFFSET $5`,
        [...filter, limit, offset],
      );
      return { documents: rows.map(toSummary), total: count?.total ?? 0 };
    });
  }

  countFailedReadings({ contentHash, reader }: Reading): Promise<number> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<{ attempts: number }[]>(
        "SELECT attempts FROM failed_readings WHERE tenant_id = $1 AND content_hash = $2 AND reader = $3",
        [this.#tenant, contentHash, reader],
      );
      return row?.attempts ?? 0;
    });
  }

  addFailedReading({ contentHash, reader }: Reading, at: Date): Promise<void> {
    return this.#transaction(async (manager) => {
      await manager.query(
        `INSERT INTO failed_readings AS f (tenant_id, content_hash, reader, attempts, failed_at) VALUES ($1, $2, $3, 1, $4)
         ON CONFLICT (tenant_id, content_hash) DO UPDATE SET
           attempts = CASE WHEN f.reader = excluded.reader THEN f.attempts + 1 ELSE 1 END,
           reader = excluded.reader, failed_at = excluded.failed_at`,
        [this.#tenant, contentHash, reader, at],
      );
    });
  }
}

interface StoredRow {
  readonly id: string;
  readonly content_hash: string;
  readonly recipe: string;
  readonly passage_count: number;
  readonly pages: number | null;
  readonly notes: string[];
  readonly grants: Principal[] | null;
}

const toStored = (row: StoredRow): StoredDocument => ({
  id: documentId(row.id),
  contentHash: row.content_hash,
  recipe: row.recipe,
  passages: row.passage_count,
  notes: row.notes,
  ...(row.pages !== null && { pages: row.pages }),
  ...(row.grants !== null && { grants: row.grants }),
});

interface ListedRow {
  readonly id: string;
  readonly title: string;
  readonly format: DocumentFormat;
  readonly pages: number | null;
  readonly passage_count: number;
  readonly ingested_at: Date;
}

const toSummary = (row: ListedRow): DocumentPage["documents"][number] => ({
  documentId: documentId(row.id),
  title: row.title,
  format: row.format,
  ...(row.pages === null ? {} : { pages: row.pages }),
  passages: row.passage_count,
  updatedAt: row.ingested_at,
});
