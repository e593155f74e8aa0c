import type { MigrationInterface, QueryRunner } from "typeorm";

/** A key is for one door, and may end by itself. */
export class KeyAudiences1764500000032 implements MigrationInterface {
  readonly name = "KeyAudiences1764500000032";

  async up(runner: QueryRunner): Promise<void> {
    // Keys from before are for the door that there was.
    await runner.query("ALTER TABLE api_keys ADD COLUMN audience text NOT NULL DEFAULT 'api' CHECK (audience IN ('api', 'mcp'))");
    await runner.query("ALTER TABLE api_keys ADD COLUMN expires_at timestamptz");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE api_keys DROP COLUMN audience, DROP COLUMN expires_at");
  }
}
