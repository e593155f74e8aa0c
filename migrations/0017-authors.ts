import type { MigrationInterface, QueryRunner } from "typeorm";

/** Whose document it is, where that is known: searches can be narrowed to a person's. */
export class Authors1764500000017 implements MigrationInterface {
  readonly name = "Authors1764500000017";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE documents ADD COLUMN author text");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE documents DROP COLUMN author");
  }
}
