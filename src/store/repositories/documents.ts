import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import { type DocumentId, documentId, newId, type PassageId, passageId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { DocumentFormat, DocumentPage, ListOptions } from "../../knowledge/library.ts";
import type { DocumentRows, NewDocument, NewPassage, Reading, StoredDocument } from "../../knowledge/storage.ts";
import type { TenantTransaction } from "../transaction.ts";

/** Rows per statement: large enough to be quick, small enough for a server's time limit and the embedded database's memory. */
const PASSAGES_PER_STATEMENT = 100;
const POSTINGS_PER_STATEMENT = 5_000;

/** One tenant's documents in Postgres. */
export class DocumentRepository implements DocumentRows {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  findBySource(sourceUri: string): Promise<StoredDocument | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<StoredRow[]>(
        `SELECT id, content_hash, recipe, passage_count,
                ARRAY(SELECT principal FROM document_grants g WHERE g.tenant_id = d.tenant_id AND g.document_id = d.id ORDER BY 1) AS grants
         FROM documents d WHERE tenant_id = $1 AND source_uri = $2`,
        [this.#tenant, sourceUri],
      );
      if (!row) return undefined;
      return { id: documentId(row.id), contentHash: row.content_hash, recipe: row.recipe, grants: row.grants, passages: row.passage_count };
    });
  }

  replace(document: NewDocument): Promise<DocumentId> {
    return this.#transaction(async (manager) => {
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
      const id = documentId(row?.id ?? "");
      await manager.query("DELETE FROM passages WHERE tenant_id = $1 AND document_id = $2", [this.#tenant, id]);
      await this.#writeGrants(manager, id, document.grants);
      await this.#writePassages(manager, id, document.passages);
      return id;
    });
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

  setGrants(document: DocumentId, grants: readonly Principal[]): Promise<void> {
    return this.#transaction(async (manager) => {
      await manager.query("UPDATE documents SET revision = gen_random_uuid() WHERE tenant_id = $1 AND id = $2", [this.#tenant, document]);
      await this.#writeGrants(manager, document, grants);
    });
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

  async #writeGrants(manager: EntityManager, document: DocumentId, grants: readonly Principal[]): Promise<void> {
    await manager.query("DELETE FROM document_grants WHERE tenant_id = $1 AND document_id = $2", [this.#tenant, document]);
    await manager.query(
      "INSERT INTO document_grants (tenant_id, document_id, principal) SELECT $1, $2, principal FROM unnest($3::text[]) AS principal",
      [this.#tenant, document, [...new Set(grants)]],
    );
  }

  async #writePassages(manager: EntityManager, document: DocumentId, passages: readonly NewPassage[]): Promise<void> {
    const rows = withIds(document, passages);
    for (const some of slices(rows, PASSAGES_PER_STATEMENT)) {
      await manager.query(
        `INSERT INTO passages (tenant_id, document_id, id, ordinal, text, page, page_end, page_name, heading, tokens)
         SELECT $1, $2, * FROM unnest($3::uuid[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[], $10::int[])`,
        [
          this.#tenant,
          document,
          some.map((row) => row.id),
          some.map((row) => row.ordinal),
          some.map((row) => row.passage.text),
          some.map((row) => row.passage.page ?? null),
          some.map((row) => row.passage.pageEnd ?? null),
          some.map((row) => row.passage.pageName ?? null),
          some.map((row) => row.passage.heading ?? null),
          some.map((row) => row.passage.tokens),
        ],
      );
      await manager.query(
        `INSERT INTO embeddings (tenant_id, document_id, passage_id, model, dimensions, vector, text_hash)
         SELECT $1, $2, id, model, dimensions, vector::vector, hash
         FROM unnest($3::uuid[], $4::text[], $5::int[], $6::text[], $7::uuid[]) AS e (id, model, dimensions, vector, hash)`,
        [
          this.#tenant,
          document,
          some.map((row) => row.id),
          some.map((row) => row.passage.embedding.model),
          some.map((row) => row.passage.embedding.vector.length),
          some.map((row) => `[${row.passage.embedding.vector.join(",")}]`),
          some.map((row) => row.passage.embedding.textHash ?? null),
        ],
      );
    }
    for (const some of slices(rows.flatMap(postingsOf), POSTINGS_PER_STATEMENT)) {
      await manager.query(
        `INSERT INTO postings (tenant_id, document_id, passage_id, term, frequency, length)
         SELECT $1, $2, * FROM unnest($3::uuid[], $4::text[], $5::int[], $6::int[])`,
        [
          this.#tenant,
          document,
          some.map((row) => row.id),
          some.map((row) => row.term),
          some.map((row) => row.frequency),
          some.map((row) => row.length),
        ],
      );
    }
  }
}

interface PassageRow {
  readonly id: PassageId;
  readonly ordinal: number;
  readonly passage: NewPassage;
}

/** A passage's id follows from its document and text, so that links to passages that did not change outlive a new version. */
function withIds(document: DocumentId, passages: readonly NewPassage[]): PassageRow[] {
  const seen = new Map<string, number>();
  return passages.map((passage, ordinal) => {
    const repetition = seen.get(passage.text) ?? 0;
    seen.set(passage.text, repetition + 1);
    const hex = createHash("sha256").update(`${document}\n${repetition}\n${passage.text}`).digest("hex");
    const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    return { id: passageId(uuid), ordinal, passage };
  });
}

function postingsOf({ id, passage }: PassageRow): { id: PassageId; term: string; frequency: number; length: number }[] {
  const frequencies = new Map<string, number>();
  for (const term of passage.terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return [...frequencies].map(([term, frequency]) => ({ id, term, frequency, length: passage.terms.length }));
}

function* slices<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

interface StoredRow {
  readonly id: string;
  readonly content_hash: string;
  readonly recipe: string;
  readonly passage_count: number;
  readonly grants: Principal[];
}

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
