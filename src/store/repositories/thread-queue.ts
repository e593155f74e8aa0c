import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { ChannelId, MessageTs, TenantId, TurnId } from "../../core/ids.ts";

/** Names a thread in the global queue without saying which one it is. */
export const threadKey = (tenant: TenantId, channel: ChannelId, thread: MessageTs): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, channel, thread]))
    .digest("hex");

/** One message of a thread at a time: positions in the queue are then seen in the order in which they were given. */
export const lockThread = (manager: EntityManager, key: string): Promise<unknown> =>
  manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [key]);

/** Whoever takes places for answers of a tenant holds this lock: two processes cannot both take its last free one. */
export const placesOf = "hashtextextended('claim ' || $1, 0)";

/**
 * Locks a thread, and its tenant's places if nobody has them: whoever stores a message does not wait for these.
 * @returns whether it has the places
 */
export async function lockThreadAndPlaces(manager: EntityManager, key: string, tenant: TenantId): Promise<boolean> {
  const [row] = await manager.query<{ places: boolean }[]>(
    `SELECT pg_try_advisory_xact_lock(${placesOf}) AS places, pg_advisory_xact_lock(hashtextextended($2, 0))`,
    [tenant, key],
  );
  return row?.places ?? false;
}

/** Puts a turn behind all others of its thread. */
export async function enqueue(
  manager: EntityManager,
  tenant: TenantId,
  { turn, channel, thread }: { readonly turn: TurnId; readonly channel: ChannelId; readonly thread: MessageTs },
): Promise<void> {
  const key = threadKey(tenant, channel, thread);
  await lockThread(manager, key);
  await manager.query(`INSERT INTO turn_queue (turn_id, tenant_id, thread_key) VALUES ($1, $2, $3)`, [turn, tenant, key]);
}
