import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Files of Slack that people have added to the knowledge base: who added which, from where, for whom, and what came of it. */
export class SlackFiles1764500000028 implements MigrationInterface {
  readonly name = "SlackFiles1764500000028";

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key to documents: one that is removed elsewhere must still be listed as gone, and may be read again.
    await runner.query(`
      CREATE TABLE slack_files (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        file_id text NOT NULL,
        name text NOT NULL,
        person text NOT NULL,
        channel text NOT NULL,
        grants text[] NOT NULL,
        document_id uuid,
        passages integer,
        failure text,
        added_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, file_id)
      )`);
    await protectTenantTable(runner, "slack_files");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE slack_files");
  }
}
