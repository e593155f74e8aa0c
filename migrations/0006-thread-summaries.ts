import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** What a long thread's older messages came to. One row a thread at most. */
export class ThreadSummaries1764500000006 implements MigrationInterface {
  readonly name = "ThreadSummaries1764500000006";

  async up(runner: QueryRunner): Promise<void> {
    // until_ts: the first message that the summary does not cover.
    await runner.query(`
      CREATE TABLE thread_summaries (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel text NOT NULL,
        thread_ts text NOT NULL,
        until_ts text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, channel, thread_ts)
      )`);
    await protectTenantTable(runner, "thread_summaries");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE thread_summaries");
  }
}
