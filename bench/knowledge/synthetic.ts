import type { TenantId } from "../../src/core/ids.ts";
import type { BenchDatabase } from "./bench-database.ts";

export const MODEL = "synthetic";
export const DIMENSIONS = 384;
const CLUSTERS = 500;
const PASSAGES_PER_DOCUMENT = 20;
const VOCABULARY = 20_000;
const WORDS_PER_PASSAGE = 40;
const PASSAGES_AT_ONCE = 500;

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A vector near one of the cluster's centres, as embeddings of texts about the same things lie together. */
export function embeddingNear(seed: number): Float32Array {
  const centre = random((seed % CLUSTERS) + 1);
  const own = random(seed + 7_919);
  return Float32Array.from({ length: DIMENSIONS }, () => centre() - 0.5 + (own() - 0.5) * 0.8);
}

/** Words of a passage; a few are in many, most in few. */
export function wordsOf(seed: number, count: number): string[] {
  const next = random(seed + 104_729);
  return Array.from({ length: count }, () => `w${Math.floor(VOCABULARY * next() ** 3)}`);
}

let made = 0;

/** Adds passages of documents of twenty, straight into the tables. */
export async function fill(asOwner: BenchDatabase["asOwner"], tenant: TenantId, principal: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += PASSAGES_AT_ONCE) {
    const some = Array.from({ length: Math.min(PASSAGES_AT_ONCE, count - from) }, () => made++);
    const batch = `${tenant}-${from}-${principal}`;
    const documents = Math.ceil(some.length / PASSAGES_PER_DOCUMENT);
    await asOwner(
      `WITH made AS (
         INSERT INTO documents (tenant_id, id, title, source_uri, content_hash, recipe, format, passage_count, term_count, token_count, ingested_at)
         SELECT $1, md5($2 || n)::uuid, 'document ' || n, $2 || n, '', '', 'text', least(${PASSAGES_PER_DOCUMENT}, $3 - n * ${PASSAGES_PER_DOCUMENT}),
                ${WORDS_PER_PASSAGE} * least(${PASSAGES_PER_DOCUMENT}, $3 - n * ${PASSAGES_PER_DOCUMENT}), 0, now()
         FROM generate_series(0, $4::int - 1) AS n RETURNING id
       )
       INSERT INTO document_grants (tenant_id, document_id, principal) SELECT $1, id, $5 FROM made`,
      [tenant, batch, some.length, documents, principal],
    );
    const document = (index: number) => `md5($2 || ${Math.floor(index / PASSAGES_PER_DOCUMENT)})::uuid`;
    const rows = some
      .map((seed, index) => `(md5($2 || 'p${index}')::uuid, ${document(index)}, ${index % PASSAGES_PER_DOCUMENT}, ${seed})`)
      .join(", ");
    await asOwner(
      `INSERT INTO passages (tenant_id, id, document_id, ordinal, text, tokens) SELECT $1, id, document, place, 'passage ' || seed, 0
       FROM (VALUES ${rows}) AS p (id, document, place, seed) WHERE $2 <> ''`,
      [tenant, batch],
    );
    await asOwner(
      `INSERT INTO embeddings (tenant_id, passage_id, model, document_id, dimensions, vector)
       SELECT $1, md5($2 || 'p' || (n - 1))::uuid, '${MODEL}', md5($2 || ((n - 1) / ${PASSAGES_PER_DOCUMENT}))::uuid, ${DIMENSIONS}, vector::vector
       FROM unnest($3::text[]) WITH ORDINALITY AS e (vector, n)`,
      [tenant, batch, some.map((seed) => `[${Array.from(embeddingNear(seed), (value) => value.toFixed(4)).join(",")}]`)],
    );
    const postings = some.flatMap((seed, index) => {
      const frequencies = new Map<string, number>();
      for (const word of wordsOf(seed, WORDS_PER_PASSAGE)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
      return [...frequencies].map(([term, frequency]) => ({ index, term, frequency }));
    });
    await asOwner(
      `INSERT INTO postings (tenant_id, passage_id, document_id, term, frequency, length)
       SELECT $1, md5($2 || 'p' || index)::uuid, md5($2 || (index / ${PASSAGES_PER_DOCUMENT}))::uuid, term, frequency, ${WORDS_PER_PASSAGE}
       FROM unnest($3::int[], $4::text[], $5::int[]) AS t (index, term, frequency)`,
      [tenant, batch, postings.map(({ index }) => index), postings.map(({ term }) => term), postings.map(({ frequency }) => frequency)],
    );
  }
}
