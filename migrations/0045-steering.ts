import type { MigrationInterface, QueryRunner } from "typeorm";

const statuses = ["queued", "running", "answered", "failed", "interrupted", "ignored", "refused", "stopped", "cancelled"];

/** Questions that are taken into the answer to an earlier one of their asker's, and those that are to be. */
export class Steering1764500000045 implements MigrationInterface {
  readonly name = "Steering1764500000045";

  async up(runner: QueryRunner): Promise<void> {
    await this.#allow(runner, [...statuses, "merged"]);
    await runner.query(`
      ALTER TABLE turns ADD COLUMN merged_into uuid,
        ADD FOREIGN KEY (tenant_id, merged_into) REFERENCES turns (tenant_id, id) ON DELETE CASCADE`);
    await runner.query("CREATE INDEX turns_merged ON turns (tenant_id, merged_into) WHERE merged_into IS NOT NULL");
    // A wish only: until the other answer takes it in, the question waits like any other.
    await runner.query("ALTER TABLE turn_queue ADD COLUMN merges_into uuid");
    await runner.query("CREATE INDEX turn_queue_merges ON turn_queue (merges_into) WHERE merges_into IS NOT NULL");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn_queue DROP COLUMN merges_into");
    await runner.query("ALTER TABLE turns DROP COLUMN merged_into");
    await runner.query("UPDATE turns SET status = 'ignored' WHERE status = 'merged'");
    await this.#allow(runner, statuses);
  }

  async #allow(runner: QueryRunner, allowed: readonly string[]): Promise<void> {
    await runner.query("ALTER TABLE turns DROP CONSTRAINT turns_status_check");
    const list = allowed.map((status) => `'${status}'`).join(", ");
    await runner.query(`ALTER TABLE turns ADD CONSTRAINT turns_status_check CHECK (status IN (${list}))`);
  }
}
