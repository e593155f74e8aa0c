import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Slack's leave to search for one question, for whichever process answers it, for some minutes. */
export class SearchLeaves1764500000046 implements MigrationInterface {
  readonly name = "SearchLeaves1764500000046";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE search_leaves (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel_id text NOT NULL,
        message_ts text NOT NULL,
        person_id text NOT NULL,
        sealed_leave text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, channel_id, message_ts)
      )`);
    await protectTenantTable(runner, "search_leaves");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE search_leaves");
  }
}
