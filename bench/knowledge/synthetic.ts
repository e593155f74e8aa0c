import type { TenantId } from "../../src/core/ids.ts";
import type { BenchDatabase } from "./bench-database.ts";

export const MODEL = "synthetic";
export const DIMENSIONS = 384;
const CLUSTERS = 500;
const PASSAGES_PER_DOCUMENT = 20;
const VOCABULARY = 20_000;
const WORDS_PER_PASSAGE = 40;
const PASSAGES_AT_ONCE = 1_000;

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

const centres = Array.from({ length: CLUSTERS }, (_, cluster) => {
  const next = random(cluster + 1);
  return Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
});

/** A vector near one of the cluster's centres, as embeddings of texts about the same things lie together. */
export function embeddingNear(seed: number): Float32Array {
  const own = random(seed + 7_919);
  return (centres[seed % CLUSTERS] ?? new Float32Array(DIMENSIONS)).map((value) => value + (own() - 0.5) * 0.8);
}

/** Thousandths from -1 to 1 as text: a million vectors are written out of these many times faster than by printing each number. */
const printed = Array.from({ length: 2_001 }, (_, n) => ((n - 1_000) / 1_000).toString());
const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (value) => printed[Math.round(value * 1_000) + 1_000]).join(",")}]`;

/** Words of a passage; a few are in many, most in few. */
export function wordsOf(seed: number, count: number): string[] {
  const next = random(seed + 104_729);
  return Array.from({ length: count }, () => `w${Math.floor(VOCABULARY * next() ** 3)}`);
}

export interface Filling {
  readonly tenant: TenantId;
  readonly passages: number;
  /** Who may read each document; they are numbered from 0. */
  grants(document: number): readonly string[];
  /** Whether the passages can be found by words too, which takes most of the time. */
  readonly words: boolean;
}

let made = 0;

/** Adds passages of documents of twenty, straight into the tables. */
export async function fill(asOwner: BenchDatabase["asOwner"], { tenant, passages, grants, words }: Filling): Promise<void> {
  for (let from = 0; from < passages; from += PASSAGES_AT_ONCE) {
    const some = Array.from({ length: Math.min(PASSAGES_AT_ONCE, passages - from) }, () => made++);
    const batch = `${tenant}-${from}`;
    const documents = Array.from({ length: Math.ceil(some.length / PASSAGES_PER_DOCUMENT) }, (_, n) => n);
    const granted = documents.flatMap((n) => grants(from / PASSAGES_PER_DOCUMENT + n).map((principal) => ({ n, principal })));
    const document = (n: string) => `md5($2 || ${n})::uuid`;
    await asOwner(
      `INSERT INTO documents (tenant_id, id, title, source_uri, content_hash, recipe, format, passage_count, term_count, token_count, ingested_at)
       SELECT $1, ${document("n")}, 'document ' || n, $2 || n, '', '', 'text', least(${PASSAGES_PER_DOCUMENT}, $3 - n * ${PASSAGES_PER_DOCUMENT}),
              ${WORDS_PER_PASSAGE} * least(${PASSAGES_PER_DOCUMENT}, $3 - n * ${PASSAGES_PER_DOCUMENT}), 0, now()
       FROM generate_series(0, $4::int - 1) AS n`,
      [tenant, batch, some.length, documents.length],
    );
    await asOwner(
      `INSERT INTO document_grants (tenant_id, document_id, principal)
       SELECT $1, ${document("n")}, principal FROM unnest($3::int[], $4::text[]) AS g (n, principal)`,
      [tenant, batch, granted.map(({ n }) => n), granted.map(({ principal }) => principal)],
    );
    await asOwner(
      `INSERT INTO passages (tenant_id, id, document_id, ordinal, text, tokens)
       SELECT $1, md5($2 || 'p' || n)::uuid, ${document(`(n / ${PASSAGES_PER_DOCUMENT})`)}, n % ${PASSAGES_PER_DOCUMENT}, 'passage ' || n, 0
       FROM generate_series(0, $3::int - 1) AS n`,
      [tenant, batch, some.length],
    );
    await asOwner(
      `INSERT INTO embeddings (tenant_id, passage_id, model, document_id, dimensions, vector)
       SELECT $1, md5($2 || 'p' || (n - 1))::uuid, '${MODEL}', ${document(`((n - 1) / ${PASSAGES_PER_DOCUMENT})`)}, ${DIMENSIONS}, vector::vector
       FROM unnest($3::text[]) WITH ORDINALITY AS e (vector, n)`,
      [tenant, batch, some.map((seed) => vectorText(embeddingNear(seed)))],
    );
    if (!words) continue;
    const postings = some.flatMap((seed, index) => {
      const frequencies = new Map<string, number>();
      for (const word of wordsOf(seed, WORDS_PER_PASSAGE)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
      return [...frequencies].map(([term, frequency]) => ({ index, term, frequency }));
    });
    await asOwner(
      `INSERT INTO postings (tenant_id, passage_id, document_id, term, frequency, length)
       SELECT $1, md5($2 || 'p' || n)::uuid, ${document(`(n / ${PASSAGES_PER_DOCUMENT})`)}, term, frequency, ${WORDS_PER_PASSAGE}
       FROM unnest($3::int[], $4::text[], $5::int[]) AS t (n, term, frequency)`,
      [tenant, batch, postings.map(({ index }) => index), postings.map(({ term }) => term), postings.map(({ frequency }) => frequency)],
    );
  }
}
