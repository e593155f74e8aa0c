import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** External servers that a workspace's admins have added. No column could name a program. */
export class WorkspaceServers1764500000048 implements MigrationInterface {
  readonly name = "WorkspaceServers1764500000048";

  async up(runner: QueryRunner): Promise<void> {
    // sealed_secret is sealed for exactly this name and the address's origin.
    await runner.query(`
      CREATE TABLE workspace_servers (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        name text NOT NULL,
        title text NOT NULL,
        url text NOT NULL,
        header_name text,
        sealed_secret text,
        login_issuer text,
        login_scopes text[] NOT NULL DEFAULT '{}',
        login_client_id text,
        revision uuid NOT NULL DEFAULT gen_random_uuid(),
        changed_by text NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, name)
      )`);
    await protectTenantTable(runner, "workspace_servers");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE workspace_servers");
  }
}
