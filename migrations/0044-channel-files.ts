import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/**
 * Documents that several hold, each with grants of their own: people who add the same file of Slack, and sources that read a channel's
 * files. Sources of that kind, which are also run when Slack says that a file has come or gone.
 */
export class ChannelFiles1764500000044 implements MigrationInterface {
  readonly name = "ChannelFiles1764500000044";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE document_holders (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL,
        holder text NOT NULL,
        grants text[] NOT NULL,
        PRIMARY KEY (tenant_id, document_id, holder),
        FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
      )`);
    // Who has added a file until now holds its document, with all the grants that it has.
    await unforced(runner, ["slack_files", "documents", "document_grants"], () =>
      runner.query(`
        INSERT INTO document_holders (tenant_id, document_id, holder, grants)
        SELECT f.tenant_id, d.id, 'person:' || f.person,
               ARRAY(SELECT principal FROM document_grants g WHERE g.tenant_id = d.tenant_id AND g.document_id = d.id)
        FROM slack_files f JOIN documents d ON d.tenant_id = f.tenant_id AND d.source_uri = 'slack:' || f.file_id`),
    );
    await protectTenantTable(runner, "document_holders");
    await runner.query("ALTER TABLE slack_files DROP CONSTRAINT slack_files_pkey, ADD PRIMARY KEY (tenant_id, file_id, person)");
    await onlyKinds(runner, ["folder", "website", "git", "slack"]);
    await runner.query("ALTER TABLE source_schedule ADD COLUMN hastened boolean NOT NULL DEFAULT false");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE source_schedule DROP COLUMN hastened");
    await unforced(runner, ["sources", "source_items", "documents", "document_holders", "slack_files"], async () => {
      // What nobody but such a source holds has no place without it.
      await runner.query(`
        DELETE FROM documents d WHERE EXISTS (SELECT FROM document_holders h WHERE h.tenant_id = d.tenant_id AND h.document_id = d.id)
          AND NOT EXISTS (SELECT FROM document_holders h WHERE h.tenant_id = d.tenant_id AND h.document_id = d.id AND h.holder NOT LIKE 'source:%')`);
      await runner.query("DELETE FROM sources WHERE kind = 'slack'");
      await runner.query(
        "DELETE FROM slack_files f USING slack_files o WHERE o.tenant_id = f.tenant_id AND o.file_id = f.file_id AND (o.added_at, o.person) < (f.added_at, f.person)",
      );
    });
    await onlyKinds(runner, ["folder", "website", "git"]);
    await runner.query("ALTER TABLE slack_files DROP CONSTRAINT slack_files_pkey, ADD PRIMARY KEY (tenant_id, file_id)");
    await runner.query("DROP TABLE document_holders");
  }
}

async function onlyKinds(runner: QueryRunner, kinds: readonly string[]): Promise<void> {
  const list = kinds.map((kind) => `'${kind}'`).join(", ");
  await runner.query("ALTER TABLE sources DROP CONSTRAINT sources_kind_check");
  await runner.query(`ALTER TABLE sources ADD CONSTRAINT sources_kind_check CHECK (kind IN (${list}))`);
}

/** The owner is bound by row-level security like everybody, but for this one look at all tenants' rows. */
async function unforced(runner: QueryRunner, tables: readonly string[], work: () => Promise<unknown>): Promise<void> {
  for (const table of tables) await runner.query(`ALTER TABLE "${table}" NO FORCE ROW LEVEL SECURITY`);
  await work();
  for (const table of tables) await runner.query(`ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY`);
}
