import type { EntityManager } from "typeorm";
import type { Lease } from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import { type ChannelId, channelId, type MessageTs, messageTs, type PersonId, type TenantId, type TurnId, turnId } from "../../core/ids.ts";
import { enqueue } from "./thread-queue.ts";

/**
 * Notes that a question that waits is to be taken into the answer at the head of its thread. It keeps its place in the queue until
 * that answer takes it, so whatever happens it is answered. @returns the turn of that answer
 */
export async function wishMerged(
  manager: EntityManager,
  tenant: TenantId,
  { channel, ts, person }: { readonly channel: ChannelId; readonly ts: MessageTs; readonly person: PersonId },
): Promise<TurnId | undefined> {
  const [rows] = await manager.query<[{ host: string }[], number]>(
    `WITH waits AS (
            SELECT turn_id, thread_key FROM turn_queue JOIN turns ON id = turn_id
            WHERE channel = $2 AND message_ts = $3 AND person = $4 AND deleted_at IS NULL AND files = '{}'
              AND lease_token IS NULL AND stop IS NULL
            FOR UPDATE OF turn_queue),
          head AS (
            SELECT first.turn_id, first.stop FROM turn_queue AS first JOIN waits USING (thread_key)
            WHERE first.tenant_id = $1 ORDER BY position LIMIT 1)
     UPDATE turn_queue SET merges_into = head.turn_id FROM waits, head, turns AS host
     WHERE turn_queue.turn_id = waits.turn_id AND head.turn_id <> waits.turn_id AND host.id = head.turn_id AND host.person = $4
       AND (head.stop IS NULL OR head.stop = 'replaced')
     RETURNING head.turn_id AS host`,
    [tenant, channel, ts, person],
  );
  return rows[0] && turnId(rows[0].host);
}

/**
 * Takes what waits for it into an answer, and gives all that it has taken in. One of these whose turn somebody changes at this
 * moment stays where it is: whoever stops several turns locks them in another order.
 */
export async function takenIn(manager: EntityManager, { turn, token }: Lease): Promise<readonly { ts: MessageTs; text: string }[]> {
  const [mine] = await manager.query<object[]>(
    `WITH mine AS (SELECT turn_id, position FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 FOR UPDATE),
          wished AS (
            SELECT waits.turn_id FROM turn_queue AS waits JOIN mine ON waits.merges_into = mine.turn_id
            WHERE waits.lease_token IS NULL AND waits.stop IS NULL AND waits.position > mine.position FOR UPDATE OF waits SKIP LOCKED),
          gone AS (DELETE FROM turn_queue WHERE turn_id IN (SELECT turn_id FROM wished) RETURNING turn_id),
          merged AS (
            UPDATE turns SET status = 'merged', merged_into = $1, finished_at = now() WHERE id IN (SELECT turn_id FROM gone)
            RETURNING channel, message_ts),
          -- The answer stands after all that it answers.
          moved AS (
            UPDATE thread_messages SET answers_ts = host.message_ts FROM merged, turns AS host
            WHERE host.id = $1 AND thread_messages.channel = merged.channel AND ts = merged.message_ts AND author = 'person')
     SELECT FROM mine`,
    [turn, token],
  );
  if (!mine) throw new AppError("LEASE_LOST");
  const rows = await manager.query<{ message_ts: string; question: string }[]>(
    "SELECT message_ts, question FROM turns WHERE merged_into = $1 AND deleted_at IS NULL ORDER BY finished_at, message_ts::numeric",
    [turn],
  );
  return rows.map(({ message_ts, question }) => ({ ts: messageTs(message_ts), text: question }));
}

/** They had places in the queue before. */
const unlimited = { perThread: 2 ** 31 - 1, perTenant: 2 ** 31 - 1, total: 2 ** 31 - 1 };

/** What an answer had taken in that nobody gets now waits again, each for an answer of its own. The thread must be locked. */
export async function askAlone(manager: EntityManager, tenant: TenantId, host: TurnId): Promise<void> {
  const rows = await manager.query<{ id: string; channel: string; thread_ts: string }[]>(
    `WITH alone AS (
            UPDATE turns SET status = 'queued', merged_into = NULL, finished_at = NULL WHERE merged_into = $1 AND deleted_at IS NULL
            RETURNING id, channel, thread_ts, message_ts),
          back AS (
            UPDATE thread_messages SET answers_ts = NULL FROM alone
            WHERE thread_messages.channel = alone.channel AND ts = alone.message_ts AND author = 'person')
     SELECT id, channel, thread_ts FROM alone ORDER BY message_ts::numeric`,
    [host],
  );
  for (const { id, channel, thread_ts } of rows)
    await enqueue(manager, tenant, { turn: turnId(id), channel: channelId(channel), thread: messageTs(thread_ts) }, unlimited);
}
