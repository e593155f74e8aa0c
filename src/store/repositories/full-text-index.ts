import { type DocumentId, documentId, newId, passageId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { IndexedDocument, IndexJob, IndexRows, IndexStatus } from "../../knowledge/full-text/meilisearch/index-rows.ts";
import type { TenantTransaction } from "../transaction.ts";

/** First pause after a failure; doubled with each further one up to the longest. */
const RETRY_SECONDS = 60;
const LONGEST_RETRY_SECONDS = 6 * 3600;
const MOST_FAILURES_SHOWN = 100;

/** Documents whose entries are not what they should be: never written, changed since, or gone. */
const DIFFERENT = `
  SELECT coalesce(d.id, f.document_id) AS id, d.revision, f.tried, f.retry_at, f.lease_until
  FROM (SELECT * FROM documents WHERE tenant_id = $1 AND recipe <> 'unfinished') AS d
  FULL JOIN (SELECT * FROM full_text_entries WHERE tenant_id = $1) AS f ON f.document_id = d.id
  WHERE d.id IS NULL OR d.revision IS DISTINCT FROM f.revision`;

/** What one tenant's full-text index beside the database holds, in Postgres. */
export class FullTextIndexRepository implements IndexRows {
  readonly #tenant: TenantId;
  readonly #transaction: TenantTransaction;

  constructor(tenant: TenantId, transaction: TenantTransaction) {
    this.#tenant = tenant;
    this.#transaction = transaction;
  }

  async settingsVersion(): Promise<number> {
    const [row] = await this.#query<{ version: number }>("SELECT settings_version AS version FROM full_text_indexes WHERE tenant_id = $1");
    return row?.version ?? 0;
  }

  async setSettingsVersion(version: number): Promise<void> {
    await this.#query(
      `INSERT INTO full_text_indexes (tenant_id, settings_version) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET settings_version = excluded.settings_version`,
      version,
    );
  }

  async claim(limit: number, leaseMs: number): Promise<readonly IndexJob[]> {
    const rows = await this.#query<{ document_id: string; lease_token: string }>(
      `INSERT INTO full_text_entries AS e (tenant_id, document_id, lease_until, lease_token)
       SELECT $1, id, now() + $2 * interval '1 millisecond', $3::uuid FROM (${DIFFERENT}) AS different
       WHERE (lease_until IS NULL OR lease_until < now()) AND (retry_at IS NULL OR retry_at <= now() OR tried IS DISTINCT FROM revision)
       ORDER BY id LIMIT $4
       ON CONFLICT (tenant_id, document_id) DO UPDATE SET lease_until = excluded.lease_until, lease_token = excluded.lease_token
         WHERE e.lease_until IS NULL OR e.lease_until < now()
       RETURNING document_id, lease_token`,
      leaseMs,
      newId(),
      limit,
    );
    return rows.map((row) => ({ document: documentId(row.document_id), token: row.lease_token }));
  }

  read(document: DocumentId): Promise<IndexedDocument | undefined> {
    return this.#transaction(async (manager) => {
      const key = [this.#tenant, document];
      const [row] = await manager.query<{ revision: string; title: string; grants: Principal[] }[]>(
        `SELECT revision, title,
                ARRAY(SELECT principal FROM document_grants g WHERE g.tenant_id = $1 AND g.document_id = $2 ORDER BY 1) AS grants
         FROM documents WHERE tenant_id = $1 AND id = $2 FOR SHARE`,
        key,
      );
      if (!row) return undefined;
      const passages = await manager.query<{ id: string; heading: string | null; text: string }[]>(
        "SELECT id, heading, text FROM passages WHERE tenant_id = $1 AND document_id = $2 ORDER BY ordinal",
        key,
      );
      return {
        ...row,
        passages: passages.map(({ id, heading, text }) => ({ id: passageId(id), ...(heading !== null && { heading }), text })),
      };
    });
  }

  async finish({ document, token }: IndexJob, revision: string | undefined): Promise<void> {
    if (revision === undefined)
      await this.#query("DELETE FROM full_text_entries WHERE tenant_id = $1 AND document_id = $2 AND lease_token = $3", document, token);
    else
      await this.#query(
        `UPDATE full_text_entries SET revision = $4, tried = $4, attempts = 0, failure = NULL, retry_at = NULL, lease_until = NULL, lease_token = NULL
         WHERE tenant_id = $1 AND document_id = $2 AND lease_token = $3`,
        document,
        token,
        revision,
      );
  }

  async fail({ document, token }: IndexJob, revision: string | undefined, reason: string): Promise<void> {
    await this.#query(
      `UPDATE full_text_entries
       SET tried = $4, attempts = attempts + 1, failure = $5, lease_until = NULL, lease_token = NULL,
           retry_at = now() + least(${LONGEST_RETRY_SECONDS}, ${RETRY_SECONDS} * 2 ^ least(attempts, 20)) * interval '1 second'
       WHERE tenant_id = $1 AND document_id = $2 AND lease_token = $3`,
      document,
      token,
      revision ?? null,
      reason,
    );
  }

  async release(jobs: readonly IndexJob[]): Promise<void> {
    await this.#query(
      "UPDATE full_text_entries SET lease_until = NULL, lease_token = NULL WHERE tenant_id = $1 AND lease_token = ANY($2) AND document_id = ANY($3)",
      jobs.map(({ token }) => token),
      jobs.map(({ document }) => document),
    );
  }

  async redo(documents: readonly DocumentId[]): Promise<void> {
    await this.#query(
      `INSERT INTO full_text_entries (tenant_id, document_id) SELECT $1, unnest($2::uuid[])
       ON CONFLICT (tenant_id, document_id) DO UPDATE SET revision = NULL, retry_at = NULL`,
      documents,
    );
  }

  reset(): Promise<void> {
    return this.#transaction(async (manager) => {
      await manager.query("DELETE FROM full_text_entries WHERE tenant_id = $1", [this.#tenant]);
      await manager.query("DELETE FROM full_text_indexes WHERE tenant_id = $1", [this.#tenant]);
    });
  }

  async settled(): Promise<ReadonlyMap<DocumentId, { readonly revision: string; readonly passages: number }>> {
    const rows = await this.#query<{ id: string; revision: string; passages: number }>(
      `SELECT d.id, d.revision, d.passage_count AS passages FROM documents d
       JOIN full_text_entries f ON f.tenant_id = $1 AND f.document_id = d.id AND f.revision = d.revision
       WHERE d.tenant_id = $1`,
    );
    return new Map(rows.map(({ id, revision, passages }) => [documentId(id), { revision, passages }]));
  }

  async waiting(): Promise<ReadonlySet<DocumentId>> {
    return new Set((await this.#query<{ id: string }>(DIFFERENT)).map(({ id }) => documentId(id)));
  }

  async status(): Promise<IndexStatus> {
    const [counts] = await this.#query<{ documents: number; waiting: number }>(
      `SELECT (SELECT count(*)::int FROM documents WHERE tenant_id = $1 AND recipe <> 'unfinished') AS documents, (SELECT count(*)::int FROM (${DIFFERENT}) AS w) AS waiting`,
    );
    const failures = await this.#query<{ title: string | null; reason: string }>(
      `SELECT d.title, f.failure AS reason FROM full_text_entries f LEFT JOIN documents d ON d.tenant_id = $1 AND d.id = f.document_id
       WHERE f.tenant_id = $1 AND f.failure IS NOT NULL ORDER BY d.title LIMIT ${MOST_FAILURES_SHOWN}`,
    );
    return {
      documents: counts?.documents ?? 0,
      waiting: counts?.waiting ?? 0,
      failures: failures.map(({ title, reason }) => ({ title: title ?? "a document that was removed", reason })),
    };
  }

  #query<Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#transaction((manager) => manager.query<Row[]>(sql, [this.#tenant, ...values]));
  }
}
