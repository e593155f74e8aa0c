import type { EntityManager } from "typeorm";
import { documentId, isUuid, type PassageId, passageId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { ContextRequest, DocumentExcerpt, PassageHit } from "../../knowledge/library.ts";
import type { Nearest, PassageRows, TermCandidate, VectorQuery } from "../../knowledge/storage.ts";
import type { TenantTransaction } from "../transaction.ts";

/** Up to this many visible passages every vector is compared: exact, and immune to what others have stored near the query. */
const EXACT_UP_TO = 20_000;
/** Above, the index is asked for at least this many and their order is mended: an iterative scan gives them only roughly sorted. */
const OVER_FETCH = 50;
/** Breadth of the index search. */
const EF_SEARCH = 200;
/** pgvector indexes `vector` up to here; beyond, half precision. */
const MAX_INDEXED_DIMENSIONS = 2_000;

/** Passages that tell how similar the query is to just anything. */
const SAMPLE = 200;

/** BM25's saturation of repeated words and correction for length; the values that did best on judged sets. */
const K1 = 0.9;
const B = 0.4;

/** An excerpt holds this many passages at most. */
const MAX_EXCERPT = 60;

/** What the principals ($2) of the tenant ($1) may read. It stands in every statement of this file. */
const VISIBLE = "SELECT document_id FROM document_grants WHERE tenant_id = $1 AND principal = ANY($2::text[])";

/** One tenant's passages in Postgres. */
export class PassageRepository implements PassageRows {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;
  readonly #exactUpTo: number;

  /** @param options.exactUpTo visible passages up to which every vector is compared; another number only in tests */
  constructor(transaction: TenantTransaction, tenant: TenantId, { exactUpTo = EXACT_UP_TO }: { exactUpTo?: number } = {}) {
    this.#transaction = transaction;
    this.#tenant = tenant;
    this.#exactUpTo = exactUpTo;
  }

  byVector({ model, vector }: VectorQuery, principals: readonly Principal[], limit: number): Promise<Nearest> {
    const { length } = vector;
    const text = `[${vector.join(",")}]`;
    const typed = `(e.vector::${length > MAX_INDEXED_DIMENSIONS ? "halfvec" : "vector"}(${length}))`;
    const distance = `${typed} <=> $4::${length > MAX_INDEXED_DIMENSIONS ? "halfvec" : "vector"}(${length})`;
    const from = `FROM embeddings e WHERE e.tenant_id = $1 AND e.document_id IN (${VISIBLE}) AND e.model = $3 AND e.dimensions = ${length}`;
    return this.#transaction(async (manager) => {
      const exact = (await this.#visiblePassages(manager, principals)) <= this.#exactUpTo;
      if (!exact) {
        await manager.query("SET LOCAL hnsw.iterative_scan = relaxed_order");
        await manager.query(`SET LOCAL hnsw.ef_search = ${EF_SEARCH}`);
      }
      // OFFSET 0 is a fence: every distance is computed, once, and the planner cannot take the approximate index.
      const nearest = exact
        ? `SELECT * FROM (SELECT e.passage_id, ${distance} AS distance ${from} OFFSET 0) AS compared ORDER BY distance LIMIT $5`
        : `SELECT e.passage_id, ${distance} AS distance ${from} ORDER BY ${distance} LIMIT $5`;
      const rows = await manager.query<{ passage_id: string; distance: number }[]>(
        `WITH nearest AS MATERIALIZED (${nearest}) SELECT passage_id, distance FROM nearest ORDER BY distance, passage_id`,
        [this.#tenant, principals, model, text, Math.max(limit, OVER_FETCH)],
      );
      // Ids are made of hashes: the first few are a random sample, and the same one every time.
      const [sample] = await manager.query<Nearest["sample"][]>(
        `SELECT count(*)::int AS count, coalesce(avg(1 - (${distance})), 0)::float8 AS mean
         FROM (SELECT e.vector ${from} ORDER BY e.passage_id LIMIT ${SAMPLE}) AS e`,
        [this.#tenant, principals, model, text],
      );
      return {
        candidates: rows.slice(0, limit).map((row) => ({ passageId: passageId(row.passage_id), similarity: 1 - row.distance })),
        sample: sample ?? { count: 0, mean: 0 },
      };
    });
  }

  byTerms(terms: readonly string[], principals: readonly Principal[], limit: number): Promise<readonly TermCandidate[]> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<TermRow[]>(BM25, [this.#tenant, principals, [...new Set(terms)], limit]);
      return rows.map((row) => ({ passageId: passageId(row.passage_id), score: row.score, bound: row.bound, coverage: row.coverage }));
    });
  }

  read(ids: readonly PassageId[], principals: readonly Principal[]): Promise<readonly Omit<PassageHit, "score">[]> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<HitRow[]>(
        `SELECT p.id, p.document_id, d.title, p.page, p.page_end, p.page_name, p.heading, p.text, d.ingested_at
         FROM unnest($3::uuid[]) WITH ORDINALITY AS wanted (id, place)
         JOIN passages p ON p.tenant_id = $1 AND p.id = wanted.id AND p.document_id IN (${VISIBLE})
         JOIN documents d ON d.tenant_id = $1 AND d.id = p.document_id
         ORDER BY wanted.place`,
        [this.#tenant, principals, ids.filter(isUuid)],
      );
      return rows.map((row) => ({
        ...toExcerptPassage(row),
        documentId: documentId(row.document_id),
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

  async #visiblePassages(manager: EntityManager, principals: readonly Principal[]): Promise<number> {
    const [row] = await manager.query<{ count: number }[]>(
      `SELECT coalesce(sum(passage_count), 0)::float8 AS count FROM documents WHERE tenant_id = $1 AND id IN (${VISIBLE})`,
      [this.#tenant, principals],
    );
    return row?.count ?? 0;
  }
}

/** $1 tenant, $2 principals, $3 distinct terms, $4 limit. Frequencies are counted over visible passages only, so hidden ones leave no trace. */
const BM25 = `
  WITH visible AS MATERIALIZED (SELECT DISTINCT document_id FROM (${VISIBLE}) AS granted),
  corpus AS (
    SELECT coalesce(sum(passage_count), 0)::float8 AS passages,
           greatest(coalesce(sum(term_count)::float8 / nullif(sum(passage_count), 0), 1), 1) AS average_length
    FROM documents WHERE tenant_id = $1 AND id IN (SELECT document_id FROM visible)
  ),
  matches AS MATERIALIZED (
    SELECT term, passage_id, frequency, length FROM postings
    WHERE tenant_id = $1 AND term = ANY($3::text[]) AND document_id IN (SELECT document_id FROM visible)
  ),
  weights AS (
    SELECT wanted.term, ln(1 + (corpus.passages - count(matches.term) + 0.5) / (count(matches.term) + 0.5)) AS idf
    FROM corpus, unnest($3::text[]) AS wanted (term) LEFT JOIN matches ON matches.term = wanted.term
    GROUP BY wanted.term, corpus.passages
  ),
  total AS (SELECT sum(idf) AS idf FROM weights)
  SELECT passage_id,
         sum(weights.idf * frequency * ${K1 + 1} / (frequency + ${K1} * (1 - ${B} + ${B} * length / corpus.average_length))) AS score,
         total.idf * ${K1 + 1} AS bound,
         sum(weights.idf) / total.idf AS coverage
  FROM matches JOIN weights USING (term), corpus, total
  GROUP BY passage_id, total.idf
  ORDER BY score DESC, passage_id
  LIMIT $4`;

interface TermRow {
  readonly passage_id: string;
  readonly score: number;
  readonly bound: number;
  readonly coverage: number;
}

interface DocumentRow {
  readonly id: string;
  readonly title: string;
  readonly pages: number | null;
  readonly ordinal: number;
}

interface HitRow {
  readonly id: string;
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
