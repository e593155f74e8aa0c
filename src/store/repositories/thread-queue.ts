import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { AskedAgain, QueueLimits, Refusal } from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import { type ChannelId, channelId, isUuid, type MessageTs, messageTs, type TenantId, type TurnId } from "../../core/ids.ts";
import type { Opening } from "../transaction.ts";

/** Names a thread in the global queue without saying which one it is. */
export const threadKey = (tenant: TenantId, channel: ChannelId, thread: MessageTs): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, channel, thread]))
    .digest("hex");

/** One message of a thread at a time: positions in the queue are then seen in the order in which they were given. */
export const lockThread = (manager: EntityManager, key: string): Promise<unknown> =>
  manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [key]);

/** Locks the thread of a turn before anything of the turn itself is locked. @returns it; undefined when there is no such turn */
export async function lockThreadOf(manager: EntityManager, tenant: TenantId, turn: TurnId): Promise<MessageTs | undefined> {
  const [row] = await manager.query<{ channel: string; thread_ts: string }[]>("SELECT channel, thread_ts FROM turns WHERE id = $1", [turn]);
  if (!row) return undefined;
  const thread = messageTs(row.thread_ts);
  await lockThread(manager, threadKey(tenant, channelId(row.channel), thread));
  return thread;
}

/** Whoever takes places for answers of a tenant holds this lock: two processes cannot both take its last free one. */
export const placesOf = "hashtextextended('claim ' || $1, 0)";

/**
 * Begins a transaction with the lock of a thread, and with that of its tenant's places when these are given and nobody has them: whoever
 * stores a message does not wait for those. The row says whether it has the `places`.
 * @param key of the thread, as `threadKey` makes it
 */
export function lockingThread(key: string, places?: TenantId): Opening {
  if (!/^[0-9a-f]+$/.test(key) || (places !== undefined && !isUuid(places))) throw new AppError("INTERNAL");
  const tried = places === undefined ? "false" : `pg_try_advisory_xact_lock(${placesOf.replace("$1", `'${places}'`)})`;
  return { sql: `SELECT ${tried} AS places, pg_advisory_xact_lock(hashtextextended('${key}', 0))` };
}

/** How many wait, as a statement. Parameters: the tenant, the thread's key. */
export const waitingCount = (tenant: string, key: string): string => `
  SELECT count(*) FILTER (WHERE tenant_id = ${tenant}::uuid AND thread_key = ${key}) AS of_thread,
         count(*) FILTER (WHERE tenant_id = ${tenant}::uuid) AS of_tenant, count(*) AS of_all FROM turn_queue`;

/** Branches of a CASE over these counts that say why one more is refused. Parameters: the limits in the order of \`limitsOf\`. */
export const whenFull = (perThread: string, perTenant: string, total: string): string =>
  `WHEN of_thread >= ${perThread}::int THEN 'thread-full' WHEN of_tenant >= ${perTenant}::int OR of_all >= ${total}::int THEN 'workspace-full'`;

/** Puts a turn behind all others of its thread, which must be locked, unless too many wait. */
export async function enqueue(
  manager: EntityManager,
  tenant: TenantId,
  { turn, channel, thread }: { readonly turn: TurnId; readonly channel: ChannelId; readonly thread: MessageTs },
  { perThread, perTenant, total }: QueueLimits,
): Promise<Exclude<AskedAgain, "not-offered">> {
  const [row] = await manager.query<{ outcome: "queued" | Refusal }[]>(
    `WITH waiting AS (${waitingCount("$1", "$3")}),
          decided AS (SELECT CASE ${whenFull("$4", "$5", "$6")} ELSE 'queued' END AS outcome FROM waiting),
          queued AS (
            INSERT INTO turn_queue (turn_id, tenant_id, thread_key)
            SELECT $2::uuid, $1::uuid, $3 FROM decided WHERE outcome = 'queued')
     SELECT outcome FROM decided`,
    [tenant, turn, threadKey(tenant, channel, thread), perThread, perTenant, total],
  );
  if (!row) throw new AppError("INTERNAL");
  return row.outcome === "queued" ? "queued" : { refused: row.outcome, thread };
}
