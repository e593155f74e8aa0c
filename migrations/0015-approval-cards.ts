import type { MigrationInterface, QueryRunner } from "typeorm";

/** Where the card of a call that waits stands, so that another process can say on it what became of it. */
export class ApprovalCards1764500000015 implements MigrationInterface {
  readonly name = "ApprovalCards1764500000015";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE tool_approvals ADD COLUMN thread_ts text NOT NULL DEFAULT ''");
    await runner.query("ALTER TABLE tool_approvals ADD COLUMN rememberable boolean NOT NULL DEFAULT false");
    await runner.query("ALTER TABLE tool_approvals ADD COLUMN card_channel text NOT NULL DEFAULT ''");
    await runner.query("ALTER TABLE tool_approvals ADD COLUMN card_ts text NOT NULL DEFAULT ''");
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ["card_ts", "card_channel", "rememberable", "thread_ts"])
      await runner.query(`ALTER TABLE tool_approvals DROP COLUMN ${column}`);
  }
}
