import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Roles that owners and admins give to members for a while. */
export class AppRoles1764500000041 implements MigrationInterface {
  readonly name = "AppRoles1764500000041";

  async up(runner: QueryRunner): Promise<void> {
    // channel_id is "" for the whole workspace. What has expired counts for nothing; its line goes with the next change of that person.
    await runner.query(`
      CREATE TABLE app_roles (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        person_id text NOT NULL,
        role text NOT NULL CHECK (role IN ('template-editor', 'tool-manager', 'knowledge-editor', 'auditor')),
        channel_id text NOT NULL DEFAULT '',
        granted_by text NOT NULL,
        granted_at timestamptz NOT NULL,
        until timestamptz NOT NULL CHECK (until > granted_at),
        PRIMARY KEY (tenant_id, person_id, role, channel_id)
      )`);
    await protectTenantTable(runner, "app_roles");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE app_roles");
  }
}
