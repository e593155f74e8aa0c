import type { EntityManager } from "typeorm";
import type { Claim, Lease, TurnQueue } from "../../bot/turns/turn-store.ts";
import { newId, type TenantId, tenantId, turnId } from "../../core/ids.ts";
import type { SystemTransaction } from "../transaction.ts";

const free = "(lease_until IS NULL OR lease_until <= clock_timestamp())";

/** The queue of turns in Postgres. All times are the database's, so that processes with wrong clocks agree. */
export class TurnQueueRepository implements TurnQueue {
  readonly #system: SystemTransaction;

  constructor(system: SystemTransaction) {
    this.#system = system;
  }

  claim({ leaseMs, perTenant, after }: { leaseMs: number; perTenant: number; after: TenantId | undefined }): Promise<Claim | undefined> {
    return this.#system(async (manager) => {
      for (const tenant of await waitingTenants(manager, perTenant, after)) {
        const lease = await claimFor(manager, tenant, { leaseMs, perTenant });
        if (lease) return lease;
      }
      return undefined;
    });
  }

  renew(lease: Lease, leaseMs: number): Promise<boolean> {
    return this.#system(async (manager) => {
      const [rows] = await manager.query<[{ turn_id: string }[], number]>(
        `UPDATE turn_queue SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE turn_id = $1 AND lease_token = $2 RETURNING turn_id`,
        [lease.turn, lease.token, leaseMs],
      );
      return rows.length === 1;
    });
  }

  async release(lease: Lease): Promise<void> {
    await this.#system((manager) =>
      manager.query(
        `UPDATE turn_queue SET lease_until = NULL, lease_token = NULL, attempts = greatest(attempts - 1, 0)
         WHERE turn_id = $1 AND lease_token = $2`,
        [lease.turn, lease.token],
      ),
    );
  }
}

/** Tenants with work and room for it: the least busy first, among equals the next one behind `after`. */
async function waitingTenants(manager: EntityManager, perTenant: number, after: TenantId | undefined): Promise<TenantId[]> {
  const rows = await manager.query<{ tenant_id: string }[]>(
    `SELECT tenant_id FROM turn_queue GROUP BY tenant_id
     HAVING count(*) FILTER (WHERE ${free} AND available_at <= clock_timestamp()) > 0 AND count(*) FILTER (WHERE NOT ${free}) < $1
     ORDER BY count(*) FILTER (WHERE NOT ${free}), tenant_id <= $2::uuid, tenant_id`,
    [perTenant, after ?? "00000000-0000-0000-0000-000000000000"],
  );
  return rows.map((row) => tenantId(row.tenant_id));
}

async function claimFor(
  manager: EntityManager,
  tenant: TenantId,
  { leaseMs, perTenant }: { leaseMs: number; perTenant: number },
): Promise<Claim | undefined> {
  // One claim per tenant at a time: two processes cannot both take its last free place.
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('claim ' || $1, 0))`, [tenant]);
  const token = newId();
  const [rows] = await manager.query<[{ turn_id: string; attempts: number; more_wait: boolean }[], number]>(
    `UPDATE turn_queue SET lease_until = clock_timestamp() + $3 * interval '1 millisecond', lease_token = $2, attempts = attempts + 1
     WHERE turn_id = (
       SELECT turn_id FROM turn_queue AS oldest
       WHERE tenant_id = $1 AND ${free} AND available_at <= clock_timestamp()
         AND NOT EXISTS (
           SELECT FROM turn_queue AS earlier
           WHERE earlier.tenant_id = $1 AND earlier.thread_key = oldest.thread_key AND earlier.position < oldest.position)
         AND (SELECT count(*) FROM turn_queue WHERE tenant_id = $1 AND NOT ${free}) < $4
       ORDER BY position LIMIT 1 FOR UPDATE)
     RETURNING turn_id, attempts,
       EXISTS (SELECT FROM turn_queue AS other WHERE other.turn_id <> turn_queue.turn_id AND ${free}) AS more_wait`,
    [tenant, token, leaseMs, perTenant],
  );
  const row = rows[0];
  return row && { turn: turnId(row.turn_id), tenant, token, attempt: row.attempts, moreWait: row.more_wait };
}
