import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** How answers came to be: one row per answer, its tool calls and model calls as a list. */
export class Traces1764500000004 implements MigrationInterface {
  readonly name = "Traces1764500000004";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE traces (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        person text NOT NULL,
        channel text NOT NULL,
        thread_ts text,
        started_at timestamptz NOT NULL,
        ms integer NOT NULL,
        status text NOT NULL CHECK (status IN ('answered', 'limited', 'fallback', 'stopped', 'error')),
        error_code text,
        input_tokens integer NOT NULL,
        output_tokens integer NOT NULL,
        entries jsonb NOT NULL,
        PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query("CREATE INDEX traces_started ON traces (tenant_id, started_at)");
    await protectTenantTable(runner, "traces");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE traces");
  }
}
