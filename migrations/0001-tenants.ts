import { type MigrationInterface, QueryFailedError, type QueryRunner } from "typeorm";
import { AppError } from "../src/core/errors.ts";
import { protectTenantTable } from "./tenant-table.ts";

/** PostgreSQL's code for "permission denied". */
const INSUFFICIENT_PRIVILEGE = "42501";

/** The role every statement runs as, the list of tenants, their Slack installations and what they say about tools. */
export class Tenants1764500000001 implements MigrationInterface {
  readonly name = "Tenants1764500000001";

  async up(runner: QueryRunner): Promise<void> {
    await createUnlessPresent(runner, "SELECT 1 FROM pg_roles WHERE rolname = 'footnote_app'", "CREATE ROLE footnote_app NOLOGIN");
    await createUnlessPresent(runner, "SELECT 1 FROM pg_extension WHERE extname = 'vector'", "CREATE EXTENSION vector");
    await runner.query("GRANT USAGE ON SCHEMA public TO footnote_app");
    await runner.query("GRANT SELECT ON schema_migrations TO footnote_app");

    await runner.query(`
      CREATE TABLE tenants (
        id uuid PRIMARY KEY,
        slack_team_id text NOT NULL UNIQUE,
        slack_enterprise_id text,
        name text NOT NULL UNIQUE,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // No DELETE: removing a tenant is a purge of everything it owns, not a statement of the running program.
    await runner.query("GRANT SELECT, INSERT, UPDATE ON tenants TO footnote_app");

    await runner.query(`
      CREATE TABLE installations (
        tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
        bot_user_id text NOT NULL,
        bot_id text NOT NULL,
        app_id text NOT NULL,
        sealed_bot_token text NOT NULL,
        key_id text NOT NULL,
        scopes text[] NOT NULL DEFAULT '{}',
        installed_at timestamptz NOT NULL DEFAULT now()
      )`);
    await protectTenantTable(runner, "installations");

    // A NULL list means "every registered tool", so that a new plugin needs no row.
    await runner.query(`
      CREATE TABLE tool_settings (
        tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
        settings jsonb NOT NULL DEFAULT '{}',
        flags text[] NOT NULL DEFAULT '{}',
        allowed text[],
        template text[],
        least_roles jsonb NOT NULL DEFAULT '{}'
      )`);
    await protectTenantTable(runner, "tool_settings");

    // Columns a scope does not need are '' (not NULL), so that they can be part of the key.
    await runner.query(`
      CREATE TABLE tool_switches (
        tenant_id uuid NOT NULL REFERENCES tenants (id),
        scope text NOT NULL CHECK (scope IN ('admin', 'channel', 'thread', 'person')),
        channel_id text NOT NULL DEFAULT '',
        thread_ts text NOT NULL DEFAULT '',
        person_id text NOT NULL DEFAULT '',
        tool text NOT NULL,
        switched_off_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, scope, channel_id, thread_ts, person_id, tool)
      )`);
    await protectTenantTable(runner, "tool_switches");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE tool_switches, tool_settings, installations, tenants");
  }
}

/** Roles and extensions may exist already, and may need an administrator: then the error says what to run. */
async function createUnlessPresent(runner: QueryRunner, present: string, create: string): Promise<void> {
  if ((await runner.query(present)).length > 0) return;
  try {
    // Roles belong to the whole server: another database's migration may create it at the same moment.
    await runner.query(`DO $$ BEGIN ${create}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  } catch (thrown) {
    if (!(thrown instanceof QueryFailedError) || thrown.driverError.code !== INSUFFICIENT_PRIVILEGE) throw thrown;
    throw new AppError("DATABASE_NOT_MIGRATED", `An administrator of the database must run first: ${create};`);
  }
}
