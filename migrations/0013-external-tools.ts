import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Tools of external servers: what is offered, and what an admin has approved. */
export class ExternalTools1764500000013 implements MigrationInterface {
  readonly name = "ExternalTools1764500000013";

  async up(runner: QueryRunner): Promise<void> {
    // The approved definition is kept beside the newest one, so that an admin can be shown what has changed.
    await runner.query(`
      CREATE TABLE external_tools (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        server text NOT NULL,
        tool text NOT NULL,
        name text NOT NULL,
        definition jsonb NOT NULL,
        fingerprint text NOT NULL,
        gone boolean NOT NULL DEFAULT false,
        seen_at timestamptz NOT NULL DEFAULT now(),
        approved_definition jsonb,
        approved_fingerprint text,
        effect text,
        approved_by text,
        approved_at timestamptz,
        PRIMARY KEY (tenant_id, server, tool)
      )`);
    await protectTenantTable(runner, "external_tools");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE external_tools");
  }
}
