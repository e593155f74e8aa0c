import type { EntityManager } from "typeorm";
import type { Admission, ApiKey, ApiKeys, KeyAudience, KeyLimits, NewApiKey } from "../../api/api-keys.ts";
import { isUuid, newId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";

/** Seconds over which questions are counted. */
const WINDOW_SECONDS = 60;
/** When a place will be free is not known: a moderate guess, so that callers neither hammer nor idle. */
const BUSY_RETRY_SECONDS = 5;

/** One tenant's API keys in Postgres. All times are the database's, so that processes with wrong clocks agree. */
export class ApiKeyRepository implements ApiKeys {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  async add({ id, person, name, secretHash, audience, days }: NewApiKey): Promise<void> {
    await this.#query(
      `INSERT INTO api_keys (tenant_id, id, person, name, secret_hash, audience, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7::int * interval '1 day')`,
      [id, person, name, secretHash, audience, days ?? null],
    );
  }

  async list(): Promise<readonly ApiKey[]> {
    const rows = await this.#query<Row[]>("SELECT * FROM api_keys WHERE tenant_id = $1 ORDER BY created_at DESC, id", []);
    return rows.map(toKey);
  }

  async revoke(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const [rows] = await this.#query<[unknown[]]>(
      "UPDATE api_keys SET revoked_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id",
      [id],
    );
    return rows.length === 1;
  }

  async find(id: string, audience: KeyAudience): Promise<{ person: PersonId; secretHash: Buffer } | undefined> {
    const [row] = await this.#query<Row[]>(
      `SELECT * FROM api_keys WHERE tenant_id = $1 AND id = $2 AND audience = $3 AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
      [id, audience],
    );
    return row && { person: personId(row.person), secretHash: row.secret_hash };
  }

  admit(id: string, limits: KeyLimits, leaseMs: number): Promise<Admission> {
    return this.#transaction(async (manager) => {
      // The row stays locked until the end: questions with one key are counted one after another, whatever process they reach.
      const [used] = await manager.query<[unknown[]]>(
        "UPDATE api_keys SET last_used_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id",
        [this.#tenant, id],
      );
      if (used.length === 0) return { admitted: false, retryAfterSeconds: WINDOW_SECONDS };
      const retryAfterSeconds = await this.#wait(manager, id, limits);
      if (retryAfterSeconds !== undefined) return { admitted: false, retryAfterSeconds };
      const use = newId();
      await manager.query(
        `INSERT INTO api_key_uses (tenant_id, id, key_id, started_at, running_until)
         VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + $4 * interval '1 millisecond')`,
        [this.#tenant, use, id, leaseMs],
      );
      return { admitted: true, use };
    });
  }

  async renew(use: string, leaseMs: number): Promise<void> {
    await this.#query(
      "UPDATE api_key_uses SET running_until = clock_timestamp() + $3 * interval '1 millisecond' WHERE tenant_id = $1 AND id = $2",
      [use, leaseMs],
    );
  }

  async finish(use: string): Promise<void> {
    await this.#query("UPDATE api_key_uses SET running_until = '-infinity' WHERE tenant_id = $1 AND id = $2", [use]);
  }

  /** Seconds until another question may come; undefined when one may come now. Forgets what no longer counts. */
  async #wait(manager: EntityManager, id: string, { perMinute, atOnce }: KeyLimits): Promise<number | undefined> {
    await manager.query(
      `DELETE FROM api_key_uses WHERE tenant_id = $1 AND key_id = $2
       AND started_at <= clock_timestamp() - $3 * interval '1 second' AND running_until <= clock_timestamp()`,
      [this.#tenant, id, WINDOW_SECONDS],
    );
    const [state] = await manager.query<{ running: number; wait: number | null }[]>(
      `SELECT count(*) FILTER (WHERE running_until > clock_timestamp())::int AS running,
         (SELECT ceil(extract(epoch FROM started_at + $3 * interval '1 second' - clock_timestamp()))::int FROM api_key_uses
           WHERE tenant_id = $1 AND key_id = $2 ORDER BY started_at DESC OFFSET $4 - 1 LIMIT 1) AS wait
       FROM api_key_uses WHERE tenant_id = $1 AND key_id = $2`,
      [this.#tenant, id, WINDOW_SECONDS, perMinute],
    );
    if (state?.wait && state.wait > 0) return state.wait;
    return (state?.running ?? 0) >= atOnce ? BUSY_RETRY_SECONDS : undefined;
  }

  #query<Result>(sql: string, rest: readonly unknown[]): Promise<Result> {
    return this.#transaction((manager) => manager.query<Result>(sql, [this.#tenant, ...rest]));
  }
}

interface Row {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly secret_hash: Buffer;
  readonly audience: KeyAudience;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

const toKey = (row: Row): ApiKey => ({
  id: row.id,
  person: personId(row.person),
  name: row.name,
  audience: row.audience,
  createdAt: row.created_at,
  ...(row.expires_at && { expiresAt: row.expires_at }),
  ...(row.last_used_at && { lastUsedAt: row.last_used_at }),
  ...(row.revoked_at && { revokedAt: row.revoked_at }),
});
