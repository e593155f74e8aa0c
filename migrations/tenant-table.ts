import type { QueryRunner } from "typeorm";

/**
 * Puts a table under row-level security and gives the application role its rights on it. Every table that holds a tenant's data
 * has a column `tenant_id uuid NOT NULL`, keys that include it, and goes through here; a test enumerates the tables from the catalogue.
 * The setting is '' (not NULL) once a transaction-local value has ended, hence nullif. It is not wrapped in a sub-select: the planner
 * would lose its selectivity.
 */
export async function protectTenantTable(runner: QueryRunner, table: string): Promise<void> {
  const own = "tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid";
  await runner.query(`ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY`);
  await runner.query(`ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY`);
  await runner.query(`CREATE POLICY "${table}_tenant" ON "${table}" USING (${own}) WITH CHECK (${own})`);
  await runner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON "${table}" TO footnote_app`);
}
