import type { EntityManager } from "typeorm";
import type { Accepted, BeginWish, IncomingMessage, QueueLimits } from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import { messageTs, newId, personId, type TenantId, type TurnId, turnId } from "../../core/ids.ts";
import { prepared } from "../prepared.ts";
import { threadKey, waitingCount, whenFull } from "./thread-queue.ts";

/** What became of a message. */
interface Acceptance {
  readonly outcome: Accepted;
  readonly turn: TurnId;
  /** The token of its lease, when it was begun. */
  readonly token: string | null;
  /** How it reads by now: an edit may have come before it. */
  readonly wording: string;
  /** Whether the bot has been asked something in its thread before. */
  readonly takesPart: boolean;
  /** Whether replies to it came before it. */
  readonly early: boolean;
}

/**
 * Decides what becomes of a message and writes everything that has to be written for it. Under the thread's lock.
 * @param begin given under the lock of the tenant's places only: the turn is begun if it may be
 */
export async function accepted(
  manager: EntityManager,
  tenant: TenantId,
  message: IncomingMessage,
  limits: QueueLimits,
  begin?: BeginWish,
): Promise<Acceptance> {
  const { eventId, channel, thread, ts, person, text, asks, files = [] } = message;
  const id = newId();
  const [row] = await manager.query<AcceptanceRow[]>(begin ? acceptingToBegin : accepting, [
    ...[tenant, eventId, channel, ts, thread, person, text, asks, id, threadKey(tenant, channel, thread)],
    ...[limits.perThread, limits.perTenant, limits.total, [...files], ...(begin ? [begin.leaseMs, begin.perTenant] : [0])],
  ]);
  if (!row) throw new AppError("INTERNAL");
  const { outcome, edited, takes_part: takesPart, ...found } = row;
  if (outcome === "early") await keepEarly(manager, tenant, message);
  else if (edited) await manager.query("DELETE FROM early_messages WHERE channel = $1 AND ts = $2 AND kind = 'edited'", [channel, ts]);
  return { ...found, outcome: outcome === "early" ? "ignored" : outcome, turn: turnId(id), takesPart };
}

interface AcceptanceRow {
  readonly outcome: Accepted | "early";
  readonly wording: string;
  readonly edited: boolean;
  readonly token: string | null;
  readonly takes_part: boolean;
  readonly early: boolean;
}

/** How long a reply waits for its thread's first question: Slack delivers for the last time after five minutes or so. */
const keptFor = "10 minutes";

/** When a turn is begun: nothing is before it, neither in its thread nor among those of any tenant that has a place for them. */
const beginning = `
  -- Only the first of a thread runs, or may.
  firsts AS (
    SELECT DISTINCT ON (tenant_id, thread_key) tenant_id, coalesce(lease_until > clock_timestamp(), false) AS runs,
           available_at <= clock_timestamp() AS due
    FROM turn_queue ORDER BY tenant_id, thread_key, position),
  tenants_now AS (
    SELECT tenant_id, count(*) FILTER (WHERE runs) < $16::int AS has_place, count(*) FILTER (WHERE due AND NOT runs) > 0 AS waits
    FROM firsts GROUP BY tenant_id),
  begun AS (
    SELECT gen_random_uuid() AS token FROM decided, waiting
    WHERE outcome = 'queued' AND of_thread = 0 AND $16::int > 0
      AND NOT EXISTS (SELECT FROM tenants_now WHERE (has_place AND waits) OR (tenant_id = $1::uuid AND NOT has_place)))`;

const notBeginning = "begun AS (SELECT NULL::uuid AS token WHERE false)";

/**
 * Nearly all of it in one statement: it is on the path of every acknowledgement, and of the answer. What is rare stands elsewhere, since
 * planning takes most of its time. What was written before the thread's first question is none of ours.
 */
const acceptance = (begins: string): string => `
  WITH known AS (
    SELECT EXISTS (SELECT FROM turns WHERE event_id = $2 OR (channel = $3 AND message_ts = $4)) AS seen,
           $8::text = 'always' OR EXISTS (
             SELECT FROM turns WHERE channel = $3 AND thread_ts = $5 AND message_ts::numeric < $4::numeric
               AND status NOT IN ('ignored', 'refused')) AS ours),
  overtaken AS (
    SELECT count(*) FILTER (WHERE kind = 'deleted') > 0 AS deleted, max(text) FILTER (WHERE kind = 'edited' AND person = $6) AS text,
           max(edited_ts) FILTER (WHERE kind = 'edited' AND person = $6) AS edited_ts
    FROM early_messages WHERE channel = $3 AND ts = $4),
  waiting AS (${waitingCount("$1", "$10")}),
  decided AS (
    SELECT CASE WHEN seen THEN 'seen' WHEN deleted THEN 'ignored' WHEN NOT ours AND $5 <> $4 THEN 'early' WHEN NOT ours THEN 'ignored'
                WHEN $8::text = 'never' THEN 'kept'
                ${whenFull("$11", "$12", "$13")}
                ELSE 'queued' END AS outcome, coalesce(text, $7) AS wording, edited_ts FROM known, overtaken, waiting),
  ${begins},
  remembered AS (
    INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, person, text)
    SELECT $1::uuid, $3, $4, $5, 'person', $6, wording FROM decided WHERE outcome NOT IN ('seen', 'ignored', 'early')
    ON CONFLICT (tenant_id, channel, ts) DO NOTHING),
  asked AS (
    INSERT INTO turns (tenant_id, id, event_id, channel, message_ts, thread_ts, person, question, edited_ts, files, status, attempts)
    SELECT $1::uuid, $9::uuid, $2, $3, $4, $5, $6, wording, edited_ts, $14::text[],
           CASE WHEN token IS NOT NULL THEN 'running' WHEN outcome = 'queued' THEN 'queued' ELSE 'refused' END, (token IS NOT NULL)::int
    FROM decided LEFT JOIN begun ON true WHERE outcome IN ('queued', 'thread-full', 'workspace-full')),
  queued AS (
    INSERT INTO turn_queue (turn_id, tenant_id, thread_key, lease_token, lease_until, attempts)
    SELECT $9::uuid, $1::uuid, $10, token, CASE WHEN token IS NOT NULL THEN clock_timestamp() + $15::int * interval '1 millisecond' END,
           (token IS NOT NULL)::int
    FROM decided LEFT JOIN begun ON true WHERE outcome = 'queued')
  SELECT outcome, wording, edited_ts IS NOT NULL AS edited, token, token IS NOT NULL AND EXISTS (
           SELECT FROM turns WHERE channel = $3 AND thread_ts = $5 AND status NOT IN ('ignored', 'refused')) AS takes_part,
         outcome = 'queued' AND EXISTS (
           SELECT FROM early_messages WHERE channel = $3 AND thread_ts = $5 AND kind NOT IN ('deleted', 'edited')) AS early
  FROM decided LEFT JOIN begun ON true`;

const accepting = prepared(acceptance(notBeginning));
const acceptingToBegin = prepared(acceptance(beginning));

/** A reply that comes before the thread's first question waits for it for some minutes: Slack's deliveries overtake each other. */
async function keepEarly(manager: EntityManager, tenant: TenantId, message: IncomingMessage): Promise<void> {
  const { eventId, channel, thread, ts, person, text, asks, files = [] } = message;
  await manager.query(
    `WITH outdated AS (DELETE FROM early_messages WHERE received_at < now() - $9::interval AND (channel, ts) <> ($2, $3))
     INSERT INTO early_messages (tenant_id, channel, ts, thread_ts, event_id, person, text, files, kind)
     SELECT $1::uuid, $2, $3, $4, $5, $6, $7, $8::text[], $10
     ON CONFLICT (tenant_id, channel, ts) DO UPDATE SET event_id = excluded.event_id, files = excluded.files, kind = excluded.kind
     WHERE early_messages.kind = 'edited' AND early_messages.person = excluded.person`,
    [tenant, channel, ts, thread, eventId, person, text, [...files], keptFor, asks],
  );
}

/** Replies that came before the thread's question, in order; they do not wait any more. */
export async function takeEarly(manager: EntityManager, { channel, thread, ts }: IncomingMessage): Promise<readonly IncomingMessage[]> {
  const rows = await manager.query<EarlyRow[]>(
    `WITH taken AS (
       DELETE FROM early_messages WHERE channel = $1 AND thread_ts = $2 AND ts::numeric > $3::numeric AND kind NOT IN ('deleted', 'edited')
       RETURNING *)
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
