import type { MigrationInterface, QueryRunner } from "typeorm";

/** Installing from a web page: what was begun in a browser, and organisations that install for all of their workspaces. */
export class Installing1764500000020 implements MigrationInterface {
  readonly name = "Installing1764500000020";

  async up(runner: QueryRunner): Promise<void> {
    // Nobody's yet: an installation that was begun belongs to a browser, not to a tenant. Only hashes, so that a copy is worth nothing.
    await runner.query(`
      CREATE TABLE install_states (
        state_hash bytea PRIMARY KEY,
        browser_hash bytea NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query("CREATE INDEX install_states_expiry ON install_states (expires_at)");
    await runner.query("GRANT SELECT, INSERT, DELETE ON install_states TO footnote_app");

    // An organisation is a row of its own that holds its installation and nothing else; its workspaces are tenants like all others.
    await runner.query(`
      ALTER TABLE tenants
        ADD COLUMN kind text NOT NULL DEFAULT 'workspace' CHECK (kind IN ('workspace', 'organisation')),
        ADD COLUMN organisation_id uuid REFERENCES tenants (id),
        ADD COLUMN suspended_because text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE tenants DROP COLUMN kind, DROP COLUMN organisation_id, DROP COLUMN suspended_because");
    await runner.query("DROP TABLE install_states");
  }
}
