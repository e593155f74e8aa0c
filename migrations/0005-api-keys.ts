import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Keys for the HTTP door, each of one person, and what they were used for lately: the counts behind their limits. */
export class ApiKeys1764500000005 implements MigrationInterface {
  readonly name = "ApiKeys1764500000005";

  async up(runner: QueryRunner): Promise<void> {
    // Only the hash of a key's secret is kept. A revoked key stays as a record of who had one.
    await runner.query(`
      CREATE TABLE api_keys (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        person text NOT NULL,
        name text NOT NULL,
        secret_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        revoked_at timestamptz,
        PRIMARY KEY (tenant_id, id)
      )`);
    await protectTenantTable(runner, "api_keys");

    // running_until is a lease: a process that dies frees its places.
    await runner.query(`
      CREATE TABLE api_key_uses (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        key_id uuid NOT NULL,
        started_at timestamptz NOT NULL,
        running_until timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, id),
        FOREIGN KEY (tenant_id, key_id) REFERENCES api_keys (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query("CREATE INDEX api_key_uses_key ON api_key_uses (tenant_id, key_id)");
    await protectTenantTable(runner, "api_key_uses");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE api_key_uses, api_keys");
  }
}
