import type { MigrationInterface, QueryRunner } from "typeorm";

/** Edits that arrive before the message that they change wait for it, too. */
export class EarlyEdits1764500000023 implements MigrationInterface {
  readonly name = "EarlyEdits1764500000023";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE early_messages ADD COLUMN edited_ts text");
    await this.#allow(runner, ["in-known-thread", "never", "deleted", "edited"]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM early_messages WHERE kind = 'edited'");
    await this.#allow(runner, ["in-known-thread", "never", "deleted"]);
    await runner.query("ALTER TABLE early_messages DROP COLUMN edited_ts");
  }

  async #allow(runner: QueryRunner, kinds: readonly string[]): Promise<void> {
    await runner.query("ALTER TABLE early_messages DROP CONSTRAINT early_messages_kind_check");
    const list = kinds.map((kind) => `'${kind}'`).join(", ");
    await runner.query(`ALTER TABLE early_messages ADD CONSTRAINT early_messages_kind_check CHECK (kind IN (${list}))`);
  }
}
