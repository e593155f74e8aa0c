import { AppError } from "../../core/errors.ts";
import { type DocumentId, documentId, newId, type TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { KnownItem, NewSource, SourceKind, SourceRows, StoredSource, SyncReport } from "../../knowledge/sources/source-store.ts";
import type { TenantTransaction } from "../transaction.ts";

/** One tenant's sources in Postgres. */
export class SourceRepository implements SourceRows {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  add(source: NewSource): Promise<StoredSource> {
    const id = newId();
    return this.#transaction(async (manager) => {
      const { name, kind, address, grants, everyMinutes } = source;
      const added = await manager.query<unknown[]>(
        `INSERT INTO sources (tenant_id, id, name, kind, address, grants, every_minutes) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (tenant_id, name) DO NOTHING RETURNING id`,
        [this.#tenant, id, name, kind, address, grants, everyMinutes ?? null],
      );
      if (added.length === 0) throw new AppError("SOURCE_EXISTS");
      await manager.query(
        "INSERT INTO source_schedule (source_id, tenant_id, every_minutes, due_at) VALUES ($1, $2, $3::int, CASE WHEN $3::int IS NULL THEN NULL ELSE clock_timestamp() END)",
        [id, this.#tenant, everyMinutes ?? null],
      );
      return { ...source, id };
    });
  }

  async list(): Promise<readonly StoredSource[]> {
    const rows = await this.#query<Row[]>("SELECT * FROM sources WHERE tenant_id = $1 ORDER BY name", []);
    return rows.map(toSource);
  }

  async find(id: string): Promise<StoredSource | undefined> {
    const [row] = await this.#query<Row[]>("SELECT * FROM sources WHERE tenant_id = $1 AND id = $2", [id]);
    return row && toSource(row);
  }

  async remove(id: string): Promise<void> {
    await this.#query("DELETE FROM sources WHERE tenant_id = $1 AND id = $2", [id]);
  }

  async items(source: string): Promise<readonly KnownItem[]> {
    const rows = await this.#query<ItemRow[]>("SELECT * FROM source_items WHERE tenant_id = $1 AND source_id = $2 ORDER BY uri", [source]);
    return rows.map((row) => ({
      uri: row.uri,
      version: row.version ?? undefined,
      contentHash: row.content_hash ?? undefined,
      document: row.document_id === null ? undefined : documentId(row.document_id),
      failure: row.failure ?? undefined,
    }));
  }

  async keep(source: string, { uri, version, contentHash, document, failure }: KnownItem): Promise<void> {
    const kept = await this.#query<unknown[]>(
      `INSERT INTO source_items (tenant_id, source_id, uri, version, content_hash, document_id, failure)
       SELECT tenant_id, id, $3, $4, $5, $6, $7 FROM sources WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE
       ON CONFLICT (tenant_id, source_id, uri) DO UPDATE SET
         (version, content_hash, document_id, failure) = (excluded.version, excluded.content_hash, excluded.document_id, excluded.failure)
       RETURNING uri`,
      [source, uri, version ?? null, contentHash ?? null, document ?? null, failure ?? null],
    );
    if (kept.length === 0) throw new AppError("SOURCE_UNKNOWN");
  }

  async forget(source: string, uri: string): Promise<void> {
    await this.#query("DELETE FROM source_items WHERE tenant_id = $1 AND source_id = $2 AND uri = $3", [source, uri]);
  }

  move(source: string, from: KnownItem, to: KnownItem, documentUri: string): Promise<void> {
    return this.#transaction(async (manager) => {
      // An item that could not be read before may have stood there.
      await manager.query("DELETE FROM source_items WHERE tenant_id = $1 AND source_id = $2 AND uri = $3", [this.#tenant, source, to.uri]);
      await manager.query("UPDATE documents SET source_uri = $3 WHERE tenant_id = $1 AND id = $2", [
        this.#tenant,
        from.document ?? null,
        documentUri,
      ]);
      await manager.query(
        `UPDATE source_items SET uri = $4, version = $5, content_hash = $6, failure = NULL
         WHERE tenant_id = $1 AND source_id = $2 AND uri = $3`,
        [this.#tenant, source, from.uri, to.uri, to.version ?? null, to.contentHash ?? null],
      );
    });
  }

  async finish(source: string, report: SyncReport): Promise<void> {
    await this.#query("UPDATE sources SET last_run = $3::jsonb WHERE tenant_id = $1 AND id = $2", [source, JSON.stringify(report)]);
  }

  #query<Result>(sql: string, rest: readonly unknown[]): Promise<Result> {
    return this.#transaction((manager) => manager.query<Result>(sql, [this.#tenant, ...rest]));
  }
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly kind: SourceKind;
  readonly address: string;
  readonly grants: Principal[];
  readonly every_minutes: number | null;
  readonly last_run: SyncReport | null;
}

interface ItemRow {
  readonly uri: string;
  readonly version: string | null;
  readonly content_hash: string | null;
  readonly document_id: DocumentId | null;
  readonly failure: string | null;
}

const toSource = (row: Row): StoredSource => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  address: row.address,
  grants: row.grants,
  ...(row.every_minutes !== null && { everyMinutes: row.every_minutes }),
  ...(row.last_run && { lastRun: row.last_run }),
});
