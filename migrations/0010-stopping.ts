import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

const statuses = ["queued", "running", "answered", "failed", "interrupted", "ignored", "refused"];

/** Answers that are stopped, cancelled or made anew; messages that arrive before what they refer to; workspaces that have left. */
export class Stopping1764500000010 implements MigrationInterface {
  readonly name = "Stopping1764500000010";

  async up(runner: QueryRunner): Promise<void> {
    await this.#allow(runner, [...statuses, "stopped", "cancelled"]);
    await runner.query(`
      ALTER TABLE turns
        ADD COLUMN files text[] NOT NULL DEFAULT '{}',
        ADD COLUMN edited_ts text,
        ADD COLUMN deleted_at timestamptz,
        ADD COLUMN stopped_by text`);
    // What is wanted of a turn that some process works on: it looks here.
    await runner.query("ALTER TABLE turn_queue ADD COLUMN stop text CHECK (stop IN ('stopped', 'cancelled', 'replaced'))");
    // Replies in threads that hold no question yet, and messages deleted before they came: deliveries overtake each other. Kept for minutes.
    await runner.query(`
      CREATE TABLE early_messages (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel text NOT NULL,
        ts text NOT NULL,
        thread_ts text NOT NULL,
        event_id text NOT NULL,
        person text NOT NULL,
        text text NOT NULL,
        files text[] NOT NULL DEFAULT '{}',
        kind text NOT NULL CHECK (kind IN ('in-known-thread', 'never', 'deleted')),
        received_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, channel, ts)
      )`);
    await runner.query("CREATE INDEX early_messages_age ON early_messages (tenant_id, received_at)");
    await protectTenantTable(runner, "early_messages");

    await runner.query("ALTER TABLE tenants ADD COLUMN suspended_at timestamptz");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE tenants DROP COLUMN suspended_at");
    await runner.query("DROP TABLE early_messages");
    await runner.query("ALTER TABLE turn_queue DROP COLUMN stop");
    await runner.query("ALTER TABLE turns DROP COLUMN files, DROP COLUMN edited_ts, DROP COLUMN deleted_at, DROP COLUMN stopped_by");
    await runner.query("UPDATE turns SET status = 'ignored' WHERE status IN ('stopped', 'cancelled')");
    await this.#allow(runner, statuses);
  }

  async #allow(runner: QueryRunner, allowed: readonly string[]): Promise<void> {
    await runner.query("ALTER TABLE turns DROP CONSTRAINT turns_status_check");
    const list = allowed.map((status) => `'${status}'`).join(", ");
    await runner.query(`ALTER TABLE turns ADD CONSTRAINT turns_status_check CHECK (status IN (${list}))`);
  }
}
