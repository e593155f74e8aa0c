import type { MigrationInterface, QueryRunner } from "typeorm";

/** Tokens that expire are renewed with a second token, by one process at a time; who installed is greeted once. */
export class TokenRotation1764500000021 implements MigrationInterface {
  readonly name = "TokenRotation1764500000021";

  async up(runner: QueryRunner): Promise<void> {
    // renewing_by, renewing_until: which process is asking Slack for a new pair, and until when the others leave it alone.
    await runner.query(`
      ALTER TABLE installations
        ADD COLUMN sealed_refresh_token text,
        ADD COLUMN expires_at timestamptz,
        ADD COLUMN renewing_by uuid,
        ADD COLUMN renewing_until timestamptz,
        ADD COLUMN installed_by text NOT NULL DEFAULT '',
        ADD COLUMN welcomed_at timestamptz,
        ADD CHECK ((sealed_refresh_token IS NULL) = (expires_at IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const columns = ["sealed_refresh_token", "expires_at", "renewing_by", "renewing_until", "installed_by", "welcomed_at"];
    await runner.query(`ALTER TABLE installations ${columns.map((column) => `DROP COLUMN ${column}`).join(", ")}`);
  }
}
