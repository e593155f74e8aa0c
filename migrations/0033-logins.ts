import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** People's log-ins at external servers, and those that were begun. */
export class Logins1764500000033 implements MigrationInterface {
  readonly name = "Logins1764500000033";

  async up(runner: QueryRunner): Promise<void> {
    // What is kept is sealed whole. renewing_until is a lease: a process that dies lets another one renew.
    await runner.query(`
      CREATE TABLE server_logins (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        server text NOT NULL,
        person_id text NOT NULL,
        sealed_login text NOT NULL,
        renewing_by text,
        renewing_until timestamptz,
        saved_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, server, person_id)
      )`);
    await protectTenantTable(runner, "server_logins");
    // Found by the hash of a value that only its person's link or browser has.
    await runner.query(`
      CREATE TABLE login_attempts (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        hash bytea NOT NULL,
        server text NOT NULL,
        person_id text NOT NULL,
        stage text NOT NULL CHECK (stage IN ('link', 'page')),
        sealed_login text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, hash)
      )`);
    await protectTenantTable(runner, "login_attempts");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE login_attempts, server_logins");
  }
}
