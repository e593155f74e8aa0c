import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { AnswerJournal } from "../../bot/ports.ts";
import type { Accepted, IncomingMessage, Lease, QueueLimits, StartedTurn, TenantTurns, TurnEnd } from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import {
  type ChannelId,
  channelId,
  type MessageTs,
  messageTs,
  newId,
  type PersonId,
  personId,
  type TenantId,
  type TurnId,
} from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";

/** One tenant's turns in Postgres: the question, its place in the queue and its memory are written in one transaction. */
export class TurnRepository implements TenantTurns {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  accept(message: IncomingMessage, limits: QueueLimits): Promise<Accepted> {
    const { eventId, channel, thread, ts, person, text, asks } = message;
    const key = threadKey(this.#tenant, channel, thread);
    return this.#transaction(async (manager) => {
      await lockThread(manager, key);
      const [row] = await manager.query<{ outcome: Accepted }[]>(acceptance, [
        ...[this.#tenant, eventId, channel, ts, thread, person, text, asks, newId(), key],
        ...[limits.perThread, limits.perTenant, limits.total],
      ]);
      if (!row) throw new AppError("INTERNAL");
      return row.outcome;
    });
  }

  start(lease: Lease): Promise<StartedTurn | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<TurnRow[]>(
        `WITH mine AS (SELECT FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 FOR UPDATE),
              begun AS (
                UPDATE turns SET status = 'running', attempts = attempts + 1 WHERE id = $1 AND EXISTS (SELECT FROM mine)
                RETURNING id, channel, thread_ts, message_ts, person, question, attempts)
         SELECT begun.*, EXISTS (
           SELECT FROM turns AS other
           WHERE other.channel = begun.channel AND other.thread_ts = begun.thread_ts AND other.id <> $1
             AND other.status NOT IN ('ignored', 'refused')) AS takes_part
         FROM begun`,
        [lease.turn, lease.token],
      );
      if (!row) return undefined;
      return {
        id: lease.turn,
        channel: channelId(row.channel),
        thread: messageTs(row.thread_ts),
        ts: messageTs(row.message_ts),
        person: personId(row.person),
        text: row.question,
        earlierAttempts: row.attempts - 1,
        joinsThread: row.thread_ts !== row.message_ts && !row.takes_part,
      };
    });
  }

  journal(lease: Lease): AnswerJournal {
    return {
      posted: () =>
        this.#transaction(async (manager) => {
          const rows = await manager.query<{ ts: string }[]>(`SELECT ts FROM answer_messages WHERE turn_id = $1 ORDER BY part`, [
            lease.turn,
          ]);
          return rows.map((row) => messageTs(row.ts));
        }),
      note: (part, ts) =>
        this.#transaction(async (manager) => {
          const noted = await manager.query<object[]>(
            `WITH mine AS (SELECT FROM turn_queue WHERE turn_id = $2 AND lease_token = $5 FOR UPDATE)
             INSERT INTO answer_messages (tenant_id, turn_id, part, ts) SELECT $1::uuid, $2::uuid, $3::int, $4 FROM mine
             ON CONFLICT (tenant_id, turn_id, part) DO UPDATE SET ts = excluded.ts RETURNING part`,
            [this.#tenant, lease.turn, part, ts, lease.token],
          );
          if (noted.length === 0) throw new AppError("LEASE_LOST");
        }),
    };
  }

  finish(lease: Lease, end: TurnEnd): Promise<boolean> {
    return this.#transaction(async (manager) => {
      // The answer stands under its first message; an answer that never reached Slack stands under its turn's id.
      const ended = await manager.query<object[]>(
        `WITH gone AS (DELETE FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 RETURNING turn_id),
              ended AS (
                UPDATE turns SET status = $3, error_code = $4, finished_at = now() WHERE id = $1 AND EXISTS (SELECT FROM gone)
                RETURNING tenant_id, channel, id, thread_ts, message_ts),
              remembered AS (
                INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, answers_ts, text)
                SELECT tenant_id, channel, coalesce((SELECT ts FROM answer_messages WHERE turn_id = $1 ORDER BY part LIMIT 1), id::text),
                       thread_ts, 'assistant', message_ts, $5
                FROM ended WHERE $5::text <> ''
                ON CONFLICT (tenant_id, channel, ts) DO UPDATE SET text = excluded.text)
         SELECT FROM gone`,
        [lease.turn, lease.token, end.status, end.errorCode ?? null, end.answer ?? ""],
      );
      return ended.length > 0;
    });
  }

  retry(turn: TurnId, { channel, person }: { channel: ChannelId; person: PersonId }): Promise<boolean> {
    return this.#transaction(async (manager) => {
      const [rows] = await manager.query<[{ thread_ts: string }[], number]>(
        `UPDATE turns SET status = 'queued', error_code = NULL, finished_at = NULL
         WHERE id = $1 AND channel = $2 AND person = $3 AND status IN ('failed', 'interrupted') RETURNING thread_ts`,
        [turn, channel, person],
      );
      const row = rows[0];
      if (!row) return false;
      const key = threadKey(this.#tenant, channel, messageTs(row.thread_ts));
      await lockThread(manager, key);
      await enqueue(manager, this.#tenant, turn, key);
      return true;
    });
  }
}

interface TurnRow {
  readonly channel: string;
  readonly thread_ts: string;
  readonly message_ts: string;
  readonly person: string;
  readonly question: string;
  readonly attempts: number;
  /** Whether the bot has been asked something in its thread before. */
  readonly takes_part: boolean;
}

/**
 * What becomes of a message, and everything that has to be written for it, in one statement: it is on the path of every
 * acknowledgement, and runs under the thread's lock. What was written before the thread's first question is none of ours, also when
 * it comes later: Slack's deliveries overtake each other.
 */
const acceptance = `
  WITH known AS (
    SELECT EXISTS (SELECT FROM turns WHERE event_id = $2 OR (channel = $3 AND message_ts = $4)) AS seen,
           $8::text = 'always' OR EXISTS (
             SELECT FROM turns WHERE channel = $3 AND thread_ts = $5 AND message_ts::numeric < $4::numeric
               AND status NOT IN ('ignored', 'refused')) AS ours),
  waiting AS (
    SELECT count(*) FILTER (WHERE tenant_id = $1::uuid AND thread_key = $10) AS of_thread,
           count(*) FILTER (WHERE tenant_id = $1::uuid) AS of_tenant, count(*) AS of_all FROM turn_queue),
  decided AS (
    SELECT CASE WHEN seen THEN 'seen' WHEN NOT ours THEN 'ignored' WHEN $8::text = 'never' THEN 'kept'
                WHEN of_thread >= $11::int THEN 'thread-full' WHEN of_tenant >= $12::int OR of_all >= $13::int THEN 'workspace-full'
                ELSE 'queued' END AS outcome FROM known, waiting),
  remembered AS (
    INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, person, text)
    SELECT $1::uuid, $3, $4, $5, 'person', $6, $7 FROM decided WHERE outcome NOT IN ('seen', 'ignored')
    ON CONFLICT (tenant_id, channel, ts) DO NOTHING),
  asked AS (
    INSERT INTO turns (tenant_id, id, event_id, channel, message_ts, thread_ts, person, question, status)
    SELECT $1::uuid, $9::uuid, $2, $3, $4, $5, $6, $7, CASE outcome WHEN 'queued' THEN 'queued' ELSE 'refused' END
    FROM decided WHERE outcome IN ('queued', 'thread-full', 'workspace-full')),
  queued AS (
    INSERT INTO turn_queue (turn_id, tenant_id, thread_key) SELECT $9::uuid, $1::uuid, $10 FROM decided WHERE outcome = 'queued')
  SELECT outcome FROM decided`;

/** Names a thread in the global queue without saying which one it is. */
const threadKey = (tenant: TenantId, channel: ChannelId, thread: MessageTs): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, channel, thread]))
    .digest("hex");

/** One message of a thread at a time: positions in the queue are then seen in the order in which they were given. */
const lockThread = (manager: EntityManager, key: string): Promise<unknown> =>
  manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [key]);

const enqueue = (manager: EntityManager, tenant: TenantId, turn: TurnId, key: string): Promise<unknown> =>
  manager.query(`INSERT INTO turn_queue (turn_id, tenant_id, thread_key) VALUES ($1, $2, $3)`, [turn, tenant, key]);
