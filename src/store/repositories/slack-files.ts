import type { EntityManager } from "typeorm";
import type { Attempt, Once } from "../../bot/commands/command-store.ts";
import { type AddedFile, sourceOf, type TenantFiles } from "../../bot/documents/file-store.ts";
import { channelId, documentId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import { everyone, type Principal, personPrincipal } from "../../core/principal.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

/**
 * The document of a file by its source: the program may have stopped after the document was stored and before that was noted, and
 * what can be found must be listed and removable.
 */
const STORED = `
  (SELECT id FROM documents d WHERE d.tenant_id = slack_files.tenant_id AND d.source_uri = '${sourceOf("")}' || file_id) AS stored_id,
  (SELECT passage_count FROM documents d WHERE d.tenant_id = slack_files.tenant_id AND d.source_uri = '${sourceOf("")}' || file_id) AS stored_passages`;

/** One tenant's files from Slack in Postgres. */
export class SlackFileRepository implements TenantFiles {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  list(person?: PersonId): Promise<readonly AddedFile[]> {
    return this.#run(async (manager) => {
      const sql = `SELECT *, ${STORED} FROM slack_files WHERE $1::text IS NULL OR person = $1 ORDER BY added_at DESC, file_id`;
      return (await manager.query<FileRow[]>(sql, [person ?? null])).map(toFile);
    });
  }

  find(id: string): Promise<AddedFile | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<FileRow[]>(`SELECT *, ${STORED} FROM slack_files WHERE file_id = $1`, [id]);
      return row && toFile(row);
    });
  }

  begin(
    { key, attempts }: Once,
    { id, name, person, channel, grants }: Pick<AddedFile, "id" | "name" | "person" | "channel" | "grants">,
  ): Promise<boolean> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return false;
      await manager.query(
        `INSERT INTO slack_files (tenant_id, file_id, name, person, channel, grants) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, file_id) DO UPDATE SET
           name = excluded.name, person = excluded.person, channel = excluded.channel, grants = excluded.grants, failure = NULL, added_at = now()`,
        [this.#tenant, id, name, person, channel, [...grants]],
      );
      await this.#narrow(manager, sourceOf(id), grants, personPrincipal(person));
      await noteAttempts(manager, this.#tenant, attempts, "done");
      return true;
    });
  }

  /**
   * Takes the document away from whoever shall not see it any more, whatever comes of reading it again; others see it only once it is
   * read. The adder, a full member, is one of everyone.
   */
  async #narrow(manager: EntityManager, source: string, grants: readonly Principal[], adder: Principal): Promise<void> {
    const [document] = await manager.query<{ id: string; grants: Principal[] }[]>(
      `SELECT id, ARRAY(SELECT principal FROM document_grants g WHERE g.tenant_id = d.tenant_id AND g.document_id = d.id) AS grants
       FROM documents d WHERE tenant_id = $1 AND source_uri = $2 FOR UPDATE`,
      [this.#tenant, source],
    );
    if (!document || document.grants.every((grant) => grants.includes(grant))) return;
    const kept = grants.filter((grant) => document.grants.includes(grant) || (grant === adder && document.grants.includes(everyone)));
    const which = [this.#tenant, document.id];
    await manager.query("UPDATE documents SET revision = gen_random_uuid() WHERE tenant_id = $1 AND id = $2", which);
    await manager.query("DELETE FROM document_grants WHERE tenant_id = $1 AND document_id = $2", which);
    const insert = "INSERT INTO document_grants (tenant_id, document_id, principal) SELECT $1, $2, unnest($3::text[])";
    await manager.query(insert, [...which, [...new Set(kept)]]);
  }

  async finish(id: string, { document, failure }: Pick<AddedFile, "document" | "failure">): Promise<void> {
    await this.#run(async (manager) => {
      const [[row]] = await manager.query<[Pick<FileRow, "grants" | "person">[], number]>(
        `UPDATE slack_files SET document_id = coalesce($2, document_id), passages = coalesce($3, passages), failure = $4 WHERE file_id = $1
         RETURNING grants, person`,
        [id, document?.id ?? null, document?.passages ?? null, failure ?? null],
      );
      // It may have been added again for fewer while it was read for more.
      if (row) await this.#narrow(manager, sourceOf(id), row.grants, personPrincipal(personId(row.person)));
    });
  }

  remove(id: string, attempt: Attempt): Promise<AddedFile | undefined> {
    return this.#run(async (manager) => {
      const [[row]] = await manager.query<[FileRow[], number]>(`DELETE FROM slack_files WHERE file_id = $1 RETURNING *, ${STORED}`, [id]);
      if (row) await noteAttempts(manager, this.#tenant, [attempt], "done");
      return row && toFile(row);
    });
  }
}

interface FileRow {
  readonly file_id: string;
  readonly name: string;
  readonly person: string;
  readonly channel: string;
  readonly grants: Principal[];
  readonly document_id: string | null;
  readonly passages: number | null;
  readonly failure: string | null;
  readonly stored_id: string | null;
  readonly stored_passages: number | null;
}

const toFile = (row: FileRow): AddedFile => {
  const document = row.stored_id ?? row.document_id;
  return {
    id: row.file_id,
    name: row.name,
    person: personId(row.person),
    channel: channelId(row.channel),
    grants: row.grants,
    ...(document !== null && { document: { id: documentId(document), passages: row.stored_passages ?? row.passages ?? 0 } }),
    ...(row.failure !== null && { failure: row.failure }),
  };
};
