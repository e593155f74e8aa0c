import type { EntityManager } from "typeorm";
import { passageId, type TenantId } from "../../../core/ids.ts";
import type { Principal } from "../../../core/principal.ts";
import type { DocumentFilter } from "../../../knowledge/library.ts";
import type { QueryTerms, TermMatches } from "../../../knowledge/storage.ts";
import { visibleDocuments } from "./visible.ts";

/** BM25's saturation of repeated words and correction for length; the values that did best on judged sets (docs/retrieval.md). */
const K1 = 1.2;
const B = 0.6;

/** BM25 over any of the words, best first, in one statement. */
export async function byTerms(
  manager: EntityManager,
  tenant: TenantId,
  { words, filter }: { readonly words: readonly QueryTerms[]; readonly filter: DocumentFilter | undefined },
  principals: readonly Principal[],
  limit: number,
): Promise<TermMatches> {
  const terms = words.flatMap((alternatives, word) => [...new Set(alternatives)].map((term) => ({ term, word })));
  const visible = visibleDocuments(filter, 6);
  const rows = await manager.query<Row[]>(bm25(visible.sql, terms.length > words.length), [
    tenant,
    principals,
    terms.map(({ term }) => term),
    terms.map(({ word }) => word),
    limit,
    ...visible.values,
  ]);
  const [first] = rows;
  return {
    candidates: rows
      .filter((row) => row.passage_id !== null)
      .map((row) => ({ passageId: passageId(row.passage_id ?? ""), score: row.score, bound: row.bound, coverage: row.coverage })),
    words: words.map((_, word) => ({ passages: first?.frequencies[word] ?? 0, weight: first?.weights[word] ?? 0 })),
  };
}

/** How many visible passages hold each term. */
export async function termFrequencies(
  manager: EntityManager,
  tenant: TenantId,
  { terms, filter }: { readonly terms: readonly string[]; readonly filter: DocumentFilter | undefined },
  principals: readonly Principal[],
): Promise<ReadonlyMap<string, number>> {
  const visible = visibleDocuments(filter, 4);
  const rows = await manager.query<{ term: string; passages: number }[]>(
    `SELECT term, count(*)::int AS passages FROM postings
     WHERE tenant_id = $1 AND term = ANY($3::text[]) AND document_id IN (${visible.sql}) GROUP BY term`,
    [tenant, principals, terms, ...visible.values],
  );
  return new Map(rows.map(({ term, passages }) => [term, passages]));
}

/**
 * $1 tenant, $2 principals, $3 terms and $4 the word that each stands for, $5 limit. Frequencies are counted over visible passages only, so
 * hidden ones leave no trace. What is known of the words comes with every row, and with an empty one where nothing matched.
 * @param alternatives whether some word has several terms, whose occurrences are then counted together
 */
const bm25 = (visible: string, alternatives: boolean): string => `
  WITH visible AS MATERIALIZED (SELECT DISTINCT document_id FROM (${visible}) AS granted),
  wanted AS (SELECT * FROM unnest($3::text[], $4::int[]) AS w (term, word)),
  corpus AS (
    SELECT coalesce(sum(passage_count), 0)::float8 AS passages,
           greatest(coalesce(sum(term_count)::float8 / nullif(sum(passage_count), 0), 1), 1) AS average_length
    FROM documents WHERE tenant_id = $1 AND id IN (SELECT document_id FROM visible)
  ),
  matches AS MATERIALIZED (
    SELECT word, passage_id, ${alternatives ? "sum(frequency) AS frequency, min(length) AS length" : "frequency, length"}
    FROM postings JOIN wanted USING (term)
    WHERE tenant_id = $1 AND term = ANY($3::text[]) AND document_id IN (SELECT document_id FROM visible)
    ${alternatives ? "GROUP BY word, passage_id" : ""}
  ),
  weights AS (
    SELECT asked.word, count(matches.word) AS passages, ln(1 + (corpus.passages - count(matches.word) + 0.5) / (count(matches.word) + 0.5)) AS idf
    FROM corpus, (SELECT DISTINCT word FROM wanted) AS asked LEFT JOIN matches ON matches.word = asked.word
    GROUP BY asked.word, corpus.passages
  ),
  total AS (
    SELECT sum(idf) AS idf, array_agg(passages::int ORDER BY word) AS frequencies, array_agg(idf::float8 ORDER BY word) AS weights FROM weights
  ),
  best AS (
    SELECT passage_id, sum(weights.idf) AS covered,
           sum(weights.idf * frequency * ${K1 + 1} / (frequency + ${K1} * (1 - ${B} + ${B} * length / corpus.average_length))) AS score
    FROM matches JOIN weights USING (word), corpus
    GROUP BY passage_id ORDER BY score DESC, passage_id LIMIT $5
  )
  SELECT best.passage_id, best.score::float8 AS score, (total.idf * ${K1 + 1})::float8 AS bound, (best.covered / total.idf)::float8 AS coverage,
         total.frequencies, total.weights
  FROM total LEFT JOIN best ON true
  ORDER BY best.score DESC, best.passage_id`;

interface Row {
  readonly passage_id: string | null;
  readonly score: number;
  readonly bound: number;
  readonly coverage: number;
  readonly frequencies: readonly number[];
  readonly weights: readonly number[];
}
