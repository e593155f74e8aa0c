import { documentId, isUuid, type PassageId, passageId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { ContextRequest, DocumentExcerpt, DocumentFilter } from "../../knowledge/library.ts";
import type { PlacedHit } from "../../knowledge/retrieve/merge-neighbours.ts";
import type { Nearest, PassageRows, QueryTerms, TermMatches, VectorQuery } from "../../knowledge/storage.ts";
import type { TenantTransaction } from "../transaction.ts";
import { byTerms, termFrequencies } from "./search/by-terms.ts";
import { byVector } from "./search/by-vector.ts";
import { VISIBLE } from "./search/visible.ts";

/** An excerpt holds this many passages at most. */
const MAX_EXCERPT = 60;

/** One tenant's passages in Postgres. */
export class PassageRepository implements PassageRows {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;
  readonly #exactUpTo: number | undefined;

  /** @param options.exactUpTo visible passages up to which every vector is compared; another number only in tests */
  constructor(transaction: TenantTransaction, tenant: TenantId, { exactUpTo }: { exactUpTo?: number } = {}) {
    this.#transaction = transaction;
    this.#tenant = tenant;
    this.#exactUpTo = exactUpTo;
  }

  byVector(query: VectorQuery, principals: readonly Principal[], limit: number, filter?: DocumentFilter): Promise<Nearest> {
    const wanted = { ...query, filter, exactUpTo: this.#exactUpTo };
    return this.#transaction((manager) => byVector(manager, this.#tenant, wanted, principals, limit));
  }

  byTerms(words: readonly QueryTerms[], principals: readonly Principal[], limit: number, filter?: DocumentFilter): Promise<TermMatches> {
    return this.#transaction((manager) => byTerms(manager, this.#tenant, { words, filter }, principals, limit));
  }

  termFrequencies(
    terms: readonly string[],
    principals: readonly Principal[],
    filter?: DocumentFilter,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#transaction((manager) => termFrequencies(manager, this.#tenant, { terms, filter }, principals));
  }

  visible(ids: readonly PassageId[], principals: readonly Principal[]): Promise<ReadonlySet<PassageId>> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<{ id: string }[]>(
        `SELECT id FROM passages WHERE tenant_id = $1 AND id = ANY($3::uuid[]) AND document_id IN (${VISIBLE})`,
        [this.#tenant, principals, ids.filter(isUuid)],
      );
      return new Set(rows.map(({ id }) => passageId(id)));
    });
  }

  read(ids: readonly PassageId[], principals: readonly Principal[]): Promise<readonly Omit<PlacedHit, "score">[]> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<HitRow[]>(
        `SELECT p.id, p.document_id, p.ordinal, d.title, p.page, p.page_end, p.page_name, p.heading, p.text, d.ingested_at
         FROM unnest($3::uuid[]) WITH ORDINALITY AS wanted (id, place)
         JOIN passages p ON p.tenant_id = $1 AND p.id = wanted.id AND p.document_id IN (${VISIBLE})
         JOIN documents d ON d.tenant_id = $1 AND d.id = p.document_id
         ORDER BY wanted.place`,
        [this.#tenant, principals, ids.filter(isUuid)],
      );
      return rows.map((row) => ({
        ...toExcerptPassage(row),
        documentId: documentId(row.document_id),
        ordinal: row.ordinal,
        title: row.title,
        updatedAt: row.ingested_at,
      }));
    });
  }

  context(where: ContextRequest, principals: readonly Principal[]): Promise<DocumentExcerpt | undefined> {
    const byPassage = "passage" in where;
    const id = byPassage ? where.passage : where.document;
    if (!isUuid(id)) return Promise.resolve(undefined);
    return this.#transaction(async (manager) => {
      const [document] = await manager.query<DocumentRow[]>(
        byPassage
          ? `SELECT d.id, d.title, d.pages, p.ordinal FROM passages p JOIN documents d ON d.tenant_id = $1 AND d.id = p.document_id
             WHERE p.tenant_id = $1 AND p.id = $3 AND p.document_id IN (${VISIBLE})`
          : `SELECT d.id, d.title, d.pages, 0 AS ordinal FROM documents d WHERE d.tenant_id = $1 AND d.id = $3 AND d.id IN (${VISIBLE})`,
        [this.#tenant, principals, id],
      );
      if (!document) return undefined;
      const range = byPassage ? [document.ordinal - where.before, document.ordinal + where.after] : [where.fromPage, where.toPage];
      const rows = await manager.query<HitRow[]>(
        `SELECT p.id, p.page, p.page_end, p.page_name, p.heading, p.text FROM passages p
         WHERE p.tenant_id = $1 AND p.document_id = $3 AND p.document_id IN (${VISIBLE})
         AND ${byPassage ? "p.ordinal BETWEEN $4 AND $5" : "p.page <= $5 AND p.page_end >= $4"}
         ORDER BY p.ordinal LIMIT ${MAX_EXCERPT + 1}`,
        [this.#tenant, principals, document.id, ...range],
      );
      return {
        documentId: documentId(document.id),
        title: document.title,
        ...(document.pages === null ? {} : { pages: document.pages }),
        passages: rows.slice(0, MAX_EXCERPT).map(toExcerptPassage),
        truncated: rows.length > MAX_EXCERPT,
      };
    });
  }
}

interface DocumentRow {
  readonly id: string;
  readonly title: string;
  readonly pages: number | null;
  readonly ordinal: number;
}

interface HitRow {
  readonly id: string;
  readonly ordinal: number;
  readonly document_id: string;
  readonly title: string;
  readonly page: number | null;
  readonly page_end: number | null;
  readonly page_name: string | null;
  readonly heading: string | null;
  readonly text: string;
  readonly ingested_at: Date;
}

const toExcerptPassage = (row: HitRow): DocumentExcerpt["passages"][number] => ({
  passageId: passageId(row.id),
  text: row.text,
  ...(row.page === null ? {} : { page: row.page }),
  ...(row.page_end === null ? {} : { pageEnd: row.page_end }),
  ...(row.page_name === null ? {} : { pageName: row.page_name }),
  ...(row.heading === null ? {} : { heading: row.heading }),
});
