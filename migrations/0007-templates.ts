import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Channel templates, what a channel switches on beside its template, commands that were carried out, and the audit log. */
export class Templates1764500000007 implements MigrationInterface {
  readonly name = "Templates1764500000007";

  async up(runner: QueryRunner): Promise<void> {
    // 'on' counts in a channel only: there an admin adds a tool that the channel's template leaves out.
    await runner.query("ALTER TABLE tool_switches ADD COLUMN state text NOT NULL DEFAULT 'off' CHECK (state IN ('off', 'on'))");

    // Never changed: another content is another version.
    await runner.query(`
      CREATE TABLE templates (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        name text NOT NULL,
        version integer NOT NULL,
        content jsonb NOT NULL,
        author text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, name, version)
      )`);
    await protectTenantTable(runner, "templates");

    // By Slack's id: a renamed channel keeps its template, a new one of the old name has none.
    await runner.query(`
      CREATE TABLE channel_templates (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel_id text NOT NULL,
        template text NOT NULL,
        PRIMARY KEY (tenant_id, channel_id)
      )`);
    await protectTenantTable(runner, "channel_templates");

    // What Slack delivers twice is carried out once.
    await runner.query(`
      CREATE TABLE handled_commands (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        command_key text NOT NULL,
        handled_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, command_key)
      )`);
    await protectTenantTable(runner, "handled_commands");

    // Ids and names of tools, templates and flags only; never what somebody wrote.
    await runner.query(`
      CREATE TABLE audit_log (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        noted_at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        action text NOT NULL,
        subject text NOT NULL,
        scope text NOT NULL DEFAULT '',
        channel_id text NOT NULL DEFAULT '',
        thread_ts text NOT NULL DEFAULT '',
        outcome text NOT NULL CHECK (outcome IN ('done', 'unchanged', 'refused')),
        PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query("CREATE INDEX audit_log_time ON audit_log (tenant_id, noted_at)");
    await protectTenantTable(runner, "audit_log");
    // The running program can add to the log and read it, and neither change nor remove what stands there.
    await runner.query("REVOKE UPDATE, DELETE ON audit_log FROM footnote_app");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE audit_log, handled_commands, channel_templates, templates");
    await runner.query("ALTER TABLE tool_switches DROP COLUMN state");
  }
}
