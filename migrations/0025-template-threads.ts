import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Threads that were started from a template, and templates that are looked at before they are stored. */
export class TemplateThreads1764500000025 implements MigrationInterface {
  readonly name = "TemplateThreads1764500000025";

  async up(runner: QueryRunner): Promise<void> {
    // By name, as channels have theirs: a thread follows the newest version.
    await runner.query(`
      CREATE TABLE thread_templates (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel_id text NOT NULL,
        thread_ts text NOT NULL,
        template text NOT NULL,
        started_by text NOT NULL,
        PRIMARY KEY (tenant_id, channel_id, thread_ts)
      )`);
    await protectTenantTable(runner, "thread_templates");

    // What stands in an admin's form while it is previewed; too long for what a modal can carry along.
    await runner.query(`
      CREATE TABLE template_drafts (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        author text NOT NULL,
        content jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, id)
      )`);
    await protectTenantTable(runner, "template_drafts");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE template_drafts, thread_templates");
  }
}
