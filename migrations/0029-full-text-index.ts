import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** What of the documents has been written to a full-text index beside the database, so that the difference is the work to do. */
export class FullTextIndex1764500000029 implements MigrationInterface {
  readonly name = "FullTextIndex1764500000029";

  async up(runner: QueryRunner): Promise<void> {
    // Another one with every change of a document's text or grants.
    await runner.query("ALTER TABLE documents ADD COLUMN revision uuid NOT NULL DEFAULT gen_random_uuid()");

    // No foreign key to documents: a row outlives its document until the index has forgotten it, too.
    await runner.query(`
      CREATE TABLE full_text_entries (
        tenant_id uuid NOT NULL REFERENCES tenants (id),
        document_id uuid NOT NULL,
        revision uuid,
        tried uuid,
        attempts integer NOT NULL DEFAULT 0,
        failure text,
        retry_at timestamptz,
        lease_until timestamptz,
        lease_token uuid,
        PRIMARY KEY (tenant_id, document_id)
      )`);
    await protectTenantTable(runner, "full_text_entries");

    await runner.query(`
      CREATE TABLE full_text_indexes (
        tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
        settings_version integer NOT NULL
      )`);
    await protectTenantTable(runner, "full_text_indexes");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE full_text_indexes, full_text_entries");
    await runner.query("ALTER TABLE documents DROP COLUMN revision");
  }
}
