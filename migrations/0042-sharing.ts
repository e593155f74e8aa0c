import type { MigrationInterface, QueryRunner } from "typeorm";

/** An answer that is being shared, and one that was: a process that dies between the two lets another try finish it. */
export class Sharing1764500000042 implements MigrationInterface {
  readonly name = "Sharing1764500000042";

  async up(runner: QueryRunner): Promise<void> {
    // What stands there already was posted; from now on only what says so.
    await runner.query("ALTER TABLE shared_answers ADD COLUMN posted boolean NOT NULL DEFAULT true");
    await runner.query("ALTER TABLE shared_answers ALTER COLUMN posted SET DEFAULT false");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE shared_answers DROP COLUMN posted");
  }
}
