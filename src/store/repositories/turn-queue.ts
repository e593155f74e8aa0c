import type { EntityManager } from "typeorm";
import type { Claim, ClaimWish, HaltKind, Lease, Renewed, TurnQueue } from "../../bot/turns/turn-store.ts";
import { type TenantId, type TurnId, tenantId, turnId } from "../../core/ids.ts";
import { prepared } from "../prepared.ts";
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

  renew(leases: readonly Lease[], leaseMs: number): Promise<ReadonlyMap<string, Renewed>> {
    return this.#system(async (manager) => {
      const rows = await manager.query<{ lease_token: string; renewed: boolean }[]>(renewing, [
        leases.map(({ turn }) => turn),
        leases.map(({ token }) => token),
        leaseMs,
      ]);
      return new Map(rows.map(({ lease_token, renewed }) => [lease_token, renewed ? "renewed" : "busy"]));
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
      const rows = await manager.query<{ id: string; wanted: HaltKind | "added-to" | "gone" }[]>(halting, [[...turns]]);
      return rows.map(({ id, wanted }) => ({ turn: turnId(id), halt: wanted }));
    });
  }
}

/** Tenants with work and room for it: the least busy first, among equals the next one behind `after`. */
async function waitingTenants(manager: EntityManager, { perTenant, after, except }: ClaimWish): Promise<TenantId[]> {
  const rows = await manager.query<{ tenant_id: string }[]>(waiting, [
    perTenant,
    after ?? "00000000-0000-0000-0000-000000000000",
    [...except],
  ]);
  return rows.map((row) => tenantId(row.tenant_id));
}

/** @param most how many turns to take at most */
async function claimFor(
  manager: EntityManager,
  tenant: TenantId,
  { leaseMs, perTenant, except }: ClaimWish,
  most: number,
): Promise<readonly Claim[]> {
  await manager.query(lockingPlaces, [tenant]);
  const [rows] = await manager.query<[ClaimRow[], number]>(claiming, [tenant, leaseMs, perTenant, most, [...except]]);
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

const waiting = prepared(`
  SELECT tenant_id FROM turn_queue GROUP BY tenant_id
  HAVING count(*) FILTER (WHERE ${free} AND available_at <= clock_timestamp() AND turn_id <> ALL ($3::uuid[])) > 0 AND count(*) FILTER (WHERE NOT ${free}) < $1
  ORDER BY count(*) FILTER (WHERE NOT ${free}), tenant_id <= $2::uuid, tenant_id`);

const claiming = prepared(`
  UPDATE turn_queue
  SET lease_until = clock_timestamp() + $2 * interval '1 millisecond', lease_token = gen_random_uuid(), attempts = attempts + 1,
    stop = nullif(stop, 'replaced')
  WHERE turn_id IN (
    SELECT turn_id FROM turn_queue AS oldest
    WHERE tenant_id = $1 AND ${free} AND available_at <= clock_timestamp() AND turn_id <> ALL ($5::uuid[])
      AND NOT EXISTS (
        SELECT FROM turn_queue AS earlier
        WHERE earlier.tenant_id = $1 AND earlier.thread_key = oldest.thread_key AND earlier.position < oldest.position)
    ORDER BY position
    LIMIT greatest(0, least($4::int, $3::int - (SELECT count(*)::int FROM turn_queue WHERE tenant_id = $1 AND NOT ${free})))
    FOR UPDATE)
  RETURNING turn_id, lease_token, attempts, position,
    (SELECT count(*)::int FROM turn_queue WHERE ${free}) AS free_before`);

const renewing = prepared(`
  WITH ours AS (
         SELECT turn_id, lease_token FROM turn_queue JOIN unnest($1::uuid[], $2::uuid[]) AS asked (id, token)
         ON turn_id = id AND lease_token = token),
       -- Others lock turns in orders of their own, and never for long.
       still AS (
         SELECT turn_id FROM turn_queue JOIN ours USING (turn_id, lease_token) FOR UPDATE OF turn_queue SKIP LOCKED),
       renewed AS (
         UPDATE turn_queue SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
         FROM still WHERE turn_queue.turn_id = still.turn_id RETURNING turn_queue.turn_id)
  SELECT lease_token, renewed.turn_id IS NOT NULL AS renewed FROM ours LEFT JOIN renewed USING (turn_id)`);

const halting = prepared(`
  SELECT id, wanted FROM (
    SELECT id, CASE WHEN turn_id IS NULL THEN 'gone' WHEN stop IS NOT NULL THEN stop
               WHEN EXISTS (SELECT FROM turn_queue AS more WHERE more.merges_into = id) THEN 'added-to' END AS wanted
    FROM unnest($1::uuid[]) AS id LEFT JOIN turn_queue ON turn_id = id) AS looked
  WHERE wanted IS NOT NULL`);

const lockingPlaces = prepared(`SELECT pg_advisory_xact_lock(${placesOf})`);
