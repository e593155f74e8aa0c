import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** What people use up, month by month, and how much a workspace allows. */
export class Usage1764500000049 implements MigrationInterface {
  readonly name = "Usage1764500000049";

  async up(runner: QueryRunner): Promise<void> {
    // Beside the traces: a budget must hold also when traces are no longer kept. `month` is its first day, UTC.
    await runner.query(`
      CREATE TABLE usage_months (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        month date NOT NULL,
        person_id text NOT NULL,
        channel_id text NOT NULL,
        answers integer NOT NULL,
        tokens bigint NOT NULL,
        PRIMARY KEY (tenant_id, month, person_id, channel_id)
      )`);
    await runner.query("CREATE INDEX usage_months_channel ON usage_months (tenant_id, month, channel_id)");
    await runner.query(`
      CREATE TABLE budgets (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        counts_for text NOT NULL CHECK (counts_for IN ('workspace', 'person')),
        month_tokens bigint NOT NULL CHECK (month_tokens > 0),
        PRIMARY KEY (tenant_id, counts_for)
      )`);
    await protectTenantTable(runner, "usage_months");
    await protectTenantTable(runner, "budgets");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE budgets");
    await runner.query("DROP TABLE usage_months");
  }
}
