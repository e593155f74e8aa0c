import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Contents that crashed or stalled the reader, so that after a few attempts they are left alone until they change. */
export class FailedReadings1764500000009 implements MigrationInterface {
  readonly name = "FailedReadings1764500000009";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE failed_readings (
        tenant_id uuid NOT NULL REFERENCES tenants (id),
        content_hash text NOT NULL,
        reader integer NOT NULL,
        attempts integer NOT NULL,
        failed_at timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, content_hash)
      )`);
    await protectTenantTable(runner, "failed_readings");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE failed_readings");
  }
}
