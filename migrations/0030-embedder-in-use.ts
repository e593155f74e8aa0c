import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which embedding model questions are asked with, which one is to follow it, and by which text a vector can be found again. */
export class EmbedderInUse1764500000030 implements MigrationInterface {
  readonly name = "EmbedderInUse1764500000030";

  async up(runner: QueryRunner): Promise<void> {
    // Global, one row: names of models alone.
    await runner.query(`
      CREATE TABLE embedder_use (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        configured text NOT NULL,
        current text NOT NULL,
        wanted text NOT NULL,
        lease_until timestamptz,
        lease_token uuid
      )`);
    await runner.query("GRANT SELECT, INSERT, UPDATE ON embedder_use TO footnote_app");

    // A document that changed keeps most of its passages: their vectors need not be made again.
    await runner.query("ALTER TABLE embeddings ADD COLUMN text_hash uuid");
    await runner.query("CREATE INDEX embeddings_text ON embeddings (tenant_id, model, text_hash)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE embeddings DROP COLUMN text_hash");
    await runner.query("DROP TABLE embedder_use");
  }
}
