import { type PassageId, passageId, type TenantId } from "../../core/ids.ts";
import type { BarePassage, EmbeddingProgress, EmbeddingRows } from "../../knowledge/embedder/embedding-rows.ts";
import type { TenantTransaction } from "../transaction.ts";

/** One tenant's vectors in Postgres. */
export class EmbeddingRepository implements EmbeddingRows {
  readonly #tenant: TenantId;
  readonly #transaction: TenantTransaction;

  constructor(tenant: TenantId, transaction: TenantTransaction) {
    this.#tenant = tenant;
    this.#transaction = transaction;
  }

  async missing(model: string, limit: number): Promise<readonly BarePassage[]> {
    const rows = await this.#query<{ id: string; title: string; heading: string | null; text: string }>(
      `SELECT p.id, d.title, p.heading, p.text FROM passages p JOIN documents d ON d.tenant_id = $1 AND d.id = p.document_id
       WHERE p.tenant_id = $1 AND NOT EXISTS (SELECT FROM embeddings e WHERE e.tenant_id = $1 AND e.passage_id = p.id AND e.model = $2)
       LIMIT $3`,
      model,
      limit,
    );
    return rows.map(({ id, heading, ...rest }) => ({ id: passageId(id), ...(heading !== null && { heading }), ...rest }));
  }

  async add(
    model: string,
    vectors: readonly { readonly passage: PassageId; readonly vector: Float32Array; readonly textHash: string }[],
  ): Promise<void> {
    await this.#query(
      `INSERT INTO embeddings (tenant_id, document_id, passage_id, model, dimensions, vector, text_hash)
       SELECT $1, p.document_id, p.id, $2, made.dimensions, made.vector::vector, made.hash
       FROM unnest($3::uuid[], $4::int[], $5::text[], $6::uuid[]) AS made (id, dimensions, vector, hash)
       JOIN passages p ON p.tenant_id = $1 AND p.id = made.id
       ON CONFLICT DO NOTHING`,
      model,
      vectors.map(({ passage }) => passage),
      vectors.map(({ vector }) => vector.length),
      vectors.map(({ vector }) => `[${vector.join(",")}]`),
      vectors.map(({ textHash }) => textHash),
    );
  }

  async progress(model: string): Promise<EmbeddingProgress> {
    const [row] = await this.#query<EmbeddingProgress>(
      `SELECT (SELECT count(*)::int FROM passages WHERE tenant_id = $1) AS passages,
              (SELECT count(*)::int FROM embeddings WHERE tenant_id = $1 AND model = $2) AS embedded`,
      model,
    );
    return row ?? { passages: 0, embedded: 0 };
  }

  async forget(model: string): Promise<void> {
    await this.#query("DELETE FROM embeddings WHERE tenant_id = $1 AND model = $2", model);
  }

  #query<Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#transaction((manager) => manager.query<Row[]>(sql, [this.#tenant, ...values]));
  }
}
