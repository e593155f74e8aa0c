import type { MigrationInterface, QueryRunner } from "typeorm";

/** The indexes by dimension that there were, with the type whose distance they hold. */
const INDEXED = [...[256, 384, 512, 768, 1024, 1536].map((dimensions) => [dimensions, "vector"] as const), [3072, "halfvec"] as const];

/**
 * Which embedding models have vectors here, or will: each gets an index of its own (src/store/vector-index.ts), made outside of migrations because it
 * is made without holding anybody up. The indexes by dimension held the vectors of all models of that size.
 */
export class EmbeddingModels1764500000038 implements MigrationInterface {
  readonly name = "EmbeddingModels1764500000038";

  async up(runner: QueryRunner): Promise<void> {
    // Global: names of models alone.
    await runner.query("CREATE TABLE embedding_models (model text PRIMARY KEY, dimensions integer NOT NULL CHECK (dimensions > 0))");
    await runner.query("GRANT SELECT, INSERT, DELETE ON embedding_models TO footnote_app");
    // The owner is bound by row-level security like everybody, but for this one look at all tenants' rows.
    await runner.query("ALTER TABLE embeddings NO FORCE ROW LEVEL SECURITY");
    await runner.query("INSERT INTO embedding_models SELECT model, min(dimensions) FROM embeddings GROUP BY model");
    await runner.query("ALTER TABLE embeddings FORCE ROW LEVEL SECURITY");
    for (const [dimensions] of INDEXED) await runner.query(`DROP INDEX IF EXISTS embeddings_near_${dimensions}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE embedding_models");
    for (const [dimensions, type] of INDEXED) {
      await runner.query(`
        CREATE INDEX embeddings_near_${dimensions} ON embeddings USING hnsw ((vector::${type}(${dimensions})) ${type}_cosine_ops)
        WHERE dimensions = ${dimensions}`);
    }
  }
}
