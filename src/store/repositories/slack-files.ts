import type { EntityManager } from "typeorm";
import type { Attempt, Once } from "../../bot/commands/command-store.ts";
import { type AddedFile, holderOf, sourceOf, type TenantFiles } from "../../bot/documents/file-store.ts";
import { channelId, documentId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import { everyone, type Principal, personPrincipal } from "../../core/principal.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";
import { lockDocument, writeGrants } from "./document-holders.ts";

/**
 * The document of a file that its adder holds: the program may have stopped after the document was stored and before that was noted, and
 * what can be found must be listed and removable.
 */
const stored = (column: string): string => `
  (SELECT d.${column} FROM documents d JOIN document_holders h ON h.tenant_id = d.tenant_id AND h.document_id = d.id
   WHERE d.tenant_id = slack_files.tenant_id AND d.source_uri = '${sourceOf("")}' || file_id AND h.holder = '${holderOf(personId(""))}' || person)`;
const STORED = `${stored("id")} AS stored_id, ${stored("passage_count")} AS stored_passages`;

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

  async find(id: string, person: PersonId): Promise<AddedFile | undefined> {
    return (await this.all(id)).find((file) => file.person === person);
  }

  all(id: string): Promise<readonly AddedFile[]> {
    return this.#run(async (manager) => {
      const sql = `SELECT *, ${STORED} FROM slack_files WHERE file_id = $1 ORDER BY added_at, person`;
      return (await manager.query<FileRow[]>(sql, [id])).map(toFile);
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
         ON CONFLICT (tenant_id, file_id, person) DO UPDATE SET
           name = excluded.name, channel = excluded.channel, grants = excluded.grants, failure = NULL, added_at = now()`,
        [this.#tenant, id, name, person, channel, [...grants]],
      );
      await this.#narrow(manager, id, grants, person);
      await noteAttempts(manager, this.#tenant, attempts, "done");
      return true;
    });
  }

  /**
   * Takes the document away from whoever its adder no longer lets see it, whatever comes of reading it again; others see it only once it is
   * read. The adder, a full member, is one of everyone.
   */
  async #narrow(manager: EntityManager, file: string, grants: readonly Principal[], person: PersonId): Promise<void> {
    const [held] = await manager.query<{ id: string; grants: Principal[] }[]>(
      `SELECT d.id, h.grants FROM documents d JOIN document_holders h ON h.tenant_id = d.tenant_id AND h.document_id = d.id AND h.holder = $3
       WHERE d.tenant_id = $1 AND d.source_uri = $2 FOR UPDATE`,
      [this.#tenant, sourceOf(file), holderOf(person)],
    );
    if (!held || held.grants.every((grant) => grants.includes(grant))) return;
    const adder = personPrincipal(person);
    const kept = grants.filter((grant) => held.grants.includes(grant) || (grant === adder && held.grants.includes(everyone)));
    const document = documentId(held.id);
    await lockDocument(manager, this.#tenant, document);
    await writeGrants(manager, this.#tenant, document, { grants: kept, holder: holderOf(person) });
  }

  async finish(id: string, person: PersonId, { document, failure }: Pick<AddedFile, "document" | "failure">): Promise<void> {
    await this.#run(async (manager) => {
      const [[row]] = await manager.query<[Pick<FileRow, "grants">[], number]>(
        `UPDATE slack_files SET document_id = coalesce($3, document_id), passages = coalesce($4, passages), failure = $5
         WHERE file_id = $1 AND person = $2 RETURNING grants`,
        [id, person, document?.id ?? null, document?.passages ?? null, failure ?? null],
      );
      // It may have been added again for fewer while it was read for more.
      if (row) await this.#narrow(manager, id, row.grants, person);
    });
  }

  remove(id: string, person: PersonId, attempt: Attempt): Promise<AddedFile | undefined> {
    return this.#run(async (manager) => {
      const sql = `DELETE FROM slack_files WHERE file_id = $1 AND person = $2 RETURNING *, ${STORED}`;
      const [[row]] = await manager.query<[FileRow[], number]>(sql, [id, person]);
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
