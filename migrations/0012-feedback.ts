import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** What people say of answers: a thumb each, and a comment if they like. It goes with the answer's trace. */
export class Feedback1764500000012 implements MigrationInterface {
  readonly name = "Feedback1764500000012";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE feedback (
        tenant_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        person text NOT NULL,
        rating text NOT NULL CHECK (rating IN ('up', 'down')),
        comment text NOT NULL DEFAULT '',
        given_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, trace_id, person),
        FOREIGN KEY (tenant_id, trace_id) REFERENCES traces (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query("CREATE INDEX feedback_time ON feedback (tenant_id, given_at)");
    await protectTenantTable(runner, "feedback");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE feedback");
  }
}
