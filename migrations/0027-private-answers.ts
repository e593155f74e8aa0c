import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Questions that were asked once more in a direct message, what of it was shared, and the channels that are answered with the asker's rights. */
export class PrivateAnswers1764500000027 implements MigrationInterface {
  readonly name = "PrivateAnswers1764500000027";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE private_searches (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        turn_id uuid NOT NULL,
        person text NOT NULL,
        channel text NOT NULL,
        thread_ts text NOT NULL,
        direct_channel text,
        direct_thread text,
        claimed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, turn_id)
      )`);
    await protectTenantTable(runner, "private_searches");
    await runner.query("CREATE INDEX private_searches_direct ON private_searches (tenant_id, direct_channel, direct_thread)");

    await runner.query(`
      CREATE TABLE shared_answers (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        trace_id uuid NOT NULL,
        shared_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, trace_id)
      )`);
    await protectTenantTable(runner, "shared_answers");

    await runner.query(`
      CREATE TABLE channel_audiences (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel_id text NOT NULL,
        rights text NOT NULL CHECK (rights IN ('every_member', 'asker')),
        PRIMARY KEY (tenant_id, channel_id)
      )`);
    await protectTenantTable(runner, "channel_audiences");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE channel_audiences, shared_answers, private_searches");
  }
}
