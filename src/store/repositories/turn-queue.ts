import type { EntityManager } from "typeorm";
import type { Claim, ClaimWish, HaltKind, Lease, TurnQueue } from "../../bot/turns/turn-store.ts";
import { type TenantId, type TurnId, tenantId, turnId } from "../../core/ids.ts";
import type { SystemTransaction } from "../transaction.ts";
import { placesOf } from "./thread-queue.ts";

const free = "(lease_until IS NULL OR lease_until <= clock_timestamp())";

/** The queue of turns in Postgres. All times are the database's, so that processes with wrong clocks agree. */
export class TurnQueueRepository implements TurnQueue {
  readonly #system: SystemTransaction;

  constructor(system: SystemTransaction) {
    this.#system = system;
  }

  claim(wish: ClaimWish): Promise<readonly Claim[]> {
    return this.#system(async (manager) => {
      const tenants = await waitingTenants(manager, wish);
      const share = Math.max(1, Math.floor(wish.most / Math.max(1, tenants.length)));
      for (const tenant of tenants) {
        const claims = await claimFor(manager, tenant, wish, share);
        if (claims.length > 0) return claims;
      }
      return [];
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
        `UPDATE turn_queue SET lease_until = NULL, lease_token = NULL, attempts = greatest(attempts - 1, 0), stop = nullif(stop, 'replaced')
         WHERE turn_id = $1 AND lease_token = $2`,
        [lease.turn, lease.token],
      ),
    );
  }

  async postpone(lease: Lease, ms: number): Promise<void> {
    await this.#system((manager) =>
      manager.query(
        `UPDATE turn_queue SET lease_until = NULL, lease_token = NULL, available_at = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE turn_id = $1 AND lease_token = $2`,
        [lease.turn, lease.token, ms],
      ),
    );
  }

  halted(turns: readonly TurnId[]): ReturnType<TurnQueue["halted"]> {
    return this.#system(async (manager) => {
      const rows = await manager.query<{ id: string; stop: HaltKind | null }[]>(
        `SELECT id, stop FROM unnest($1::uuid[]) AS id LEFT JOIN turn_queue ON turn_id = id WHERE turn_id IS NULL OR stop IS NOT NULL`,
        [[...turns]],
      );
      return rows.map(({ id, stop }) => ({ turn: turnId(id), halt: stop ?? "gone" }));
    });
  }
}

/** Tenants with work and room for it: the least busy first, among equals the next one behind `after`. */
async function waitingTenants(manager: EntityManager, { perTenant, after }: ClaimWish): Promise<TenantId[]> {
  const rows = await manager.query<{ tenant_id: string }[]>(
    `SELECT tenant_id FROM turn_queue GROUP BY tenant_id
     HAVING count(*) FILTER (WHERE ${free} AND available_at <= clock_timestamp()) > 0 AND count(*) FILTER (WHERE NOT ${free}) < $1
     ORDER BY count(*) FILTER (WHERE NOT ${free}), tenant_id <= $2::uuid, tenant_id`,
    [perTenant, after ?? "00000000-0000-0000-0000-000000000000"],
  );
  return rows.map((row) => tenantId(row.tenant_id));
}

/** @param most how many turns to take at most */
async function claimFor(
  manager: EntityManager,
  tenant: TenantId,
  { leaseMs, perTenant }: ClaimWish,
  most: number,
): Promise<readonly Claim[]> {
  await manager.query(`SELECT pg_advisory_xact_lock(${placesOf})`, [tenant]);
  const [rows] = await manager.query<[ClaimRow[], number]>(
    `UPDATE turn_queue
     SET lease_until = clock_timestamp() + $2 * interval '1 millisecond', lease_token = gen_random_uuid(), attempts = attempts + 1,
       stop = nullif(stop, 'replaced')
     WHERE turn_id IN (
       SELECT turn_id FROM turn_queue AS oldest
       WHERE tenant_id = $1 AND ${free} AND available_at <= clock_timestamp()
         AND NOT EXISTS (
           SELECT FROM turn_queue AS earlier
           WHERE earlier.tenant_id = $1 AND earlier.thread_key = oldest.thread_key AND earlier.position < oldest.position)
       ORDER BY position
       LIMIT greatest(0, least($4::int, $3::int - (SELECT count(*)::int FROM turn_queue WHERE tenant_id = $1 AND NOT ${free})))
       FOR UPDATE)
     RETURNING turn_id, lease_token, attempts, position,
       (SELECT count(*)::int FROM turn_queue WHERE ${free}) AS free_before`,
    [tenant, leaseMs, perTenant, most],
  );
  // Within the statement the rows just taken still count as free.
  return rows
    .sort((a, b) => Number(a.position) - Number(b.position))
    .map((row) => ({
      ...{ turn: turnId(row.turn_id), tenant, token: row.lease_token, attempt: row.attempts },
      moreWait: row.free_before > rows.length,
    }));
}

interface ClaimRow {
  readonly turn_id: string;
  readonly lease_token: string;
  readonly attempts: number;
  readonly position: string;
  readonly free_before: number;
}
