import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which sources an answer cites, so that their passages can be shown later, and which message asked for it. */
export class CitedSources1764500000011 implements MigrationInterface {
  readonly name = "CitedSources1764500000011";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE traces ADD COLUMN cited jsonb NOT NULL DEFAULT '[]', ADD COLUMN message_ts text");
    // What somebody asked lately.
    await runner.query("CREATE INDEX traces_person ON traces (tenant_id, person, started_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX traces_person");
    await runner.query("ALTER TABLE traces DROP COLUMN cited, DROP COLUMN message_ts");
  }
}
