import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import { type DocumentId, type PassageId, passageId, type TenantId } from "../../core/ids.ts";
import type { NewPassage } from "../../knowledge/storage.ts";

/** Rows per statement: large enough to be quick, small enough for a server's time limit and the embedded database's memory. */
const PASSAGES_PER_STATEMENT = 100;
const POSTINGS_PER_STATEMENT = 5_000;

/** Adds passages of a document with their vectors and words. */
export async function writePassages(
  manager: EntityManager,
  tenant: TenantId,
  document: DocumentId,
  rows: readonly PassageRow[],
): Promise<void> {
  for (const some of slices(rows, PASSAGES_PER_STATEMENT)) {
    await manager.query(
      `INSERT INTO passages (tenant_id, document_id, id, ordinal, text, page, page_end, page_name, heading, tokens)
         SELECT $1, $2, * FROM unnest($3::uuid[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[], $10::int[])`,
      [
        tenant,
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
        tenant,
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
        tenant,
        document,
        some.map((row) => row.id),
        some.map((row) => row.term),
        some.map((row) => row.frequency),
        some.map((row) => row.length),
      ],
    );
  }
}

/** A passage with its place in the document. */
export interface PassageRow {
  readonly id: PassageId;
  readonly ordinal: number;
  readonly passage: NewPassage;
}

/** A passage's id follows from its document and text, so that links to passages that did not change outlive a new version. */
export function withIds(document: DocumentId, passages: readonly NewPassage[]): PassageRow[] {
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

/** Portions of so many rows. */
export function* slices<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
