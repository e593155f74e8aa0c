import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Calls that wait for a click of whoever asked, and what may be called for the rest of a thread. */
export class ToolApprovals1764500000014 implements MigrationInterface {
  readonly name = "ToolApprovals1764500000014";

  async up(runner: QueryRunner): Promise<void> {
    // One row for a call of one question: whatever happens in between, it runs at most once.
    await runner.query(`
      CREATE TABLE tool_approvals (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        channel_id text NOT NULL,
        message_ts text NOT NULL,
        person_id text NOT NULL,
        tool text NOT NULL,
        fingerprint text NOT NULL,
        arguments text NOT NULL,
        state text NOT NULL CHECK (state IN ('waiting', 'allowed', 'denied', 'running', 'done')),
        asked_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        decided_at timestamptz,
        PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query(
      "CREATE UNIQUE INDEX tool_approvals_call ON tool_approvals (tenant_id, channel_id, message_ts, person_id, tool, fingerprint, md5(arguments))",
    );
    await protectTenantTable(runner, "tool_approvals");

    await runner.query(`
      CREATE TABLE thread_permissions (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel_id text NOT NULL,
        thread_ts text NOT NULL,
        person_id text NOT NULL,
        tool text NOT NULL,
        fingerprint text NOT NULL,
        granted_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, channel_id, thread_ts, person_id, tool, fingerprint)
      )`);
    await protectTenantTable(runner, "thread_permissions");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE thread_permissions, tool_approvals");
  }
}
