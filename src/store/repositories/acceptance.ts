import type { EntityManager } from "typeorm";
import type { Accepted, IncomingMessage, QueueLimits } from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import { messageTs, newId, personId, type TenantId } from "../../core/ids.ts";
import { threadKey } from "./thread-queue.ts";

/**
 * Decides what becomes of a message and writes everything that has to be written for it. Under the thread's lock.
 * @returns `early`: whether replies to it came before it
 */
export async function accepted(
  manager: EntityManager,
  tenant: TenantId,
  message: IncomingMessage,
  limits: QueueLimits,
): Promise<{ readonly outcome: Accepted; readonly early: boolean }> {
  const { eventId, channel, thread, ts, person, text, asks, files = [] } = message;
  const [row] = await manager.query<{ outcome: Accepted | "early"; early: boolean }[]>(acceptance, [
    ...[tenant, eventId, channel, ts, thread, person, text, asks, newId(), threadKey(tenant, channel, thread)],
    ...[limits.perThread, limits.perTenant, limits.total, [...files], keptFor],
  ]);
  if (!row) throw new AppError("INTERNAL");
  return { outcome: row.outcome === "early" ? "ignored" : row.outcome, early: row.early };
}

/** How long a reply waits for its thread's first question: Slack delivers for the last time after five minutes or so. */
const keptFor = "10 minutes";

/**
 * All of it in one statement: it is on the path of every acknowledgement. What was written before the thread's first question is none
 * of ours; a reply that comes before that question does, since Slack's deliveries overtake each other, waits for it for some minutes.
 */
const acceptance = `
  WITH known AS (
    SELECT EXISTS (SELECT FROM turns WHERE event_id = $2 OR (channel = $3 AND message_ts = $4)) AS seen,
           EXISTS (SELECT FROM early_messages WHERE channel = $3 AND ts = $4 AND kind = 'deleted') AS deleted,
           $8::text = 'always' OR EXISTS (
             SELECT FROM turns WHERE channel = $3 AND thread_ts = $5 AND message_ts::numeric < $4::numeric
               AND status NOT IN ('ignored', 'refused')) AS ours),
  waiting AS (
    SELECT count(*) FILTER (WHERE tenant_id = $1::uuid AND thread_key = $10) AS of_thread,
           count(*) FILTER (WHERE tenant_id = $1::uuid) AS of_tenant, count(*) AS of_all FROM turn_queue),
  decided AS (
    SELECT CASE WHEN seen THEN 'seen' WHEN deleted THEN 'ignored' WHEN NOT ours AND $5 <> $4 THEN 'early' WHEN NOT ours THEN 'ignored'
                WHEN $8::text = 'never' THEN 'kept'
                WHEN of_thread >= $11::int THEN 'thread-full' WHEN of_tenant >= $12::int OR of_all >= $13::int THEN 'workspace-full'
                ELSE 'queued' END AS outcome FROM known, waiting),
  remembered AS (
    INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, person, text)
    SELECT $1::uuid, $3, $4, $5, 'person', $6, $7 FROM decided WHERE outcome NOT IN ('seen', 'ignored', 'early')
    ON CONFLICT (tenant_id, channel, ts) DO NOTHING),
  asked AS (
    INSERT INTO turns (tenant_id, id, event_id, channel, message_ts, thread_ts, person, question, files, status)
    SELECT $1::uuid, $9::uuid, $2, $3, $4, $5, $6, $7, $14::text[], CASE outcome WHEN 'queued' THEN 'queued' ELSE 'refused' END
    FROM decided WHERE outcome IN ('queued', 'thread-full', 'workspace-full')),
  queued AS (
    INSERT INTO turn_queue (turn_id, tenant_id, thread_key) SELECT $9::uuid, $1::uuid, $10 FROM decided WHERE outcome = 'queued'),
  outdated AS (
    DELETE FROM early_messages USING decided WHERE outcome = 'early' AND received_at < now() - $15::interval),
  early AS (
    INSERT INTO early_messages (tenant_id, channel, ts, thread_ts, event_id, person, text, files, kind)
    SELECT $1::uuid, $3, $4, $5, $2, $6, $7, $14::text[], $8 FROM decided WHERE outcome = 'early'
    ON CONFLICT (tenant_id, channel, ts) DO NOTHING)
  SELECT outcome, outcome = 'queued' AND EXISTS (
    SELECT FROM early_messages WHERE channel = $3 AND thread_ts = $5 AND kind <> 'deleted') AS early FROM decided`;

/** Replies that came before the thread's question, in order; they do not wait any more. */
export async function takeEarly(manager: EntityManager, { channel, thread, ts }: IncomingMessage): Promise<readonly IncomingMessage[]> {
  const rows = await manager.query<EarlyRow[]>(
    `WITH taken AS (
       DELETE FROM early_messages WHERE channel = $1 AND thread_ts = $2 AND ts::numeric > $3::numeric AND kind <> 'deleted' RETURNING *)
     SELECT ts, event_id, person, text, files, kind FROM taken ORDER BY ts::numeric`,
    [channel, thread, ts],
  );
  return rows.map(({ ts, event_id, person, text, files, kind }) => ({
    ...{ eventId: event_id, channel, thread, ts: messageTs(ts), person: personId(person), text, files, asks: kind },
  }));
}

interface EarlyRow {
  readonly ts: string;
  readonly event_id: string;
  readonly person: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly kind: IncomingMessage["asks"];
}
