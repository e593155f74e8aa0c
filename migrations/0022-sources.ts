import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Sources that documents are kept current from, and what of each source is known. */
export class Sources1764500000022 implements MigrationInterface {
  readonly name = "Sources1764500000022";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sources (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('folder', 'website', 'git')),
        address text NOT NULL,
        grants text[] NOT NULL,
        every_minutes integer,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_run jsonb,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, name)
      )`);
    await protectTenantTable(runner, "sources");

    // No foreign key to documents: a document that is removed by hand comes again only when its item changes, hence the item must stay.
    await runner.query(`
      CREATE TABLE source_items (
        tenant_id uuid NOT NULL,
        source_id uuid NOT NULL,
        uri text NOT NULL,
        version text,
        content_hash text,
        document_id uuid,
        failure text,
        PRIMARY KEY (tenant_id, source_id, uri),
        FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id) ON DELETE CASCADE
      )`);
    await protectTenantTable(runner, "source_items");

    // Global, so that due runs of all tenants are found at once: ids and times only.
    await runner.query(`
      CREATE TABLE source_schedule (
        source_id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        every_minutes integer,
        due_at timestamptz,
        lease_until timestamptz,
        lease_token uuid,
        FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query("CREATE INDEX source_schedule_due ON source_schedule (due_at)");
    await runner.query("GRANT SELECT, INSERT, UPDATE, DELETE ON source_schedule TO footnote_app");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE source_schedule, source_items, sources");
  }
}
