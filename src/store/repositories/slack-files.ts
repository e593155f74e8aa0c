import type { Attempt, Once } from "../../bot/commands/command-store.ts";
import type { AddedFile, TenantFiles } from "../../bot/documents/file-store.ts";
import { channelId, documentId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

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
      const sql = "SELECT * FROM slack_files WHERE $1::text IS NULL OR person = $1 ORDER BY added_at DESC, file_id";
      return (await manager.query<FileRow[]>(sql, [person ?? null])).map(toFile);
    });
  }

  find(id: string): Promise<AddedFile | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<FileRow[]>("SELECT * FROM slack_files WHERE file_id = $1", [id]);
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
      await noteAttempts(manager, this.#tenant, attempts, "done");
      return true;
    });
  }

  async finish(id: string, { document, failure }: Pick<AddedFile, "document" | "failure">): Promise<void> {
    await this.#run((manager) =>
      manager.query(
        "UPDATE slack_files SET document_id = coalesce($2, document_id), passages = coalesce($3, passages), failure = $4 WHERE file_id = $1",
        [id, document?.id ?? null, document?.passages ?? null, failure ?? null],
      ),
    );
  }

  remove(id: string, attempt: Attempt): Promise<AddedFile | undefined> {
    return this.#run(async (manager) => {
      const [[row]] = await manager.query<[FileRow[], number]>("DELETE FROM slack_files WHERE file_id = $1 RETURNING *", [id]);
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
}

const toFile = (row: FileRow): AddedFile => ({
  id: row.file_id,
  name: row.name,
  person: personId(row.person),
  channel: channelId(row.channel),
  grants: row.grants,
  ...(row.document_id !== null && { document: { id: documentId(row.document_id), passages: row.passages ?? 0 } }),
  ...(row.failure !== null && { failure: row.failure }),
});
