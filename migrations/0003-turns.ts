import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Questions, the queue they wait in, the messages of their answers, and what was said in the threads around them. */
export class Turns1764500000003 implements MigrationInterface {
  readonly name = "Turns1764500000003";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE turns (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        event_id text NOT NULL,
        channel text NOT NULL,
        message_ts text NOT NULL,
        thread_ts text NOT NULL,
        person text NOT NULL,
        question text NOT NULL,
        status text NOT NULL CHECK (status IN ('queued', 'running', 'answered', 'failed', 'interrupted', 'ignored', 'refused')),
        attempts integer NOT NULL DEFAULT 0,
        error_code text,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, event_id),
        UNIQUE (tenant_id, channel, message_ts)
      )`);
    await runner.query(`CREATE INDEX turns_thread ON turns (tenant_id, channel, thread_ts)`);
    await runner.query(`
      CREATE TABLE answer_messages (
        tenant_id uuid NOT NULL,
        turn_id uuid NOT NULL,
        part integer NOT NULL,
        ts text NOT NULL,
        PRIMARY KEY (tenant_id, turn_id, part),
        FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE thread_messages (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        channel text NOT NULL,
        ts text NOT NULL,
        thread_ts text NOT NULL,
        author text NOT NULL CHECK (author IN ('person', 'assistant')),
        person text,
        answers_ts text,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, channel, ts)
      )`);
    await runner.query(`CREATE INDEX thread_messages_thread ON thread_messages (tenant_id, channel, thread_ts)`);
    for (const table of ["turns", "answer_messages", "thread_messages"]) await protectTenantTable(runner, table);

    // Global, so that a worker finds waiting turns of all tenants: ids and times only, the thread as a hash.
    await runner.query(`
      CREATE TABLE turn_queue (
        turn_id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL,
        thread_key text NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        available_at timestamptz NOT NULL DEFAULT now(),
        lease_until timestamptz,
        lease_token uuid,
        attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX turn_queue_thread ON turn_queue (tenant_id, thread_key, position)`);
    await runner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON turn_queue TO footnote_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["turn_queue", "thread_messages", "answer_messages", "turns"]) await runner.query(`DROP TABLE ${table}`);
  }
}
