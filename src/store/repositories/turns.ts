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
  turnId,
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
    return this.#transaction(async (manager) => {
      const key = threadKey(this.#tenant, message.channel, message.thread);
      await lockThread(manager, key);
      if (await seen(manager, message)) return "seen";
      if (message.asks !== "always" && !(await takesPart(manager, message))) return "ignored";
      await this.#remember(manager, message);
      if (message.asks === "never") return "kept";

      const full = await fullness(manager, this.#tenant, key, limits);
      const turn = turnId(newId());
      await manager.query(
        `INSERT INTO turns (tenant_id, id, event_id, channel, message_ts, thread_ts, person, question, status)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          this.#tenant,
          turn,
          message.eventId,
          message.channel,
          message.ts,
          message.thread,
          message.person,
          message.text,
          full ? "refused" : "queued",
        ],
      );
      if (full) return full;
      await enqueue(manager, this.#tenant, turn, key);
      return "queued";
    });
  }

  start(lease: Lease): Promise<StartedTurn | undefined> {
    return this.#transaction(async (manager) => {
      if (!(await holds(manager, lease))) return undefined;
      const [rows] = await manager.query<[TurnRow[], number]>(
        `UPDATE turns SET status = 'running', attempts = attempts + 1 WHERE id = $1
         RETURNING id, channel, thread_ts, message_ts, person, question, attempts`,
        [lease.turn],
      );
      const row = rows[0];
      if (!row) return undefined;
      const [other] = await manager.query<object[]>(
        `SELECT 1 FROM turns WHERE channel = $1 AND thread_ts = $2 AND id <> $3 AND status NOT IN ('ignored', 'refused') LIMIT 1`,
        [row.channel, row.thread_ts, lease.turn],
      );
      return {
        id: lease.turn,
        channel: channelId(row.channel),
        thread: messageTs(row.thread_ts),
        ts: messageTs(row.message_ts),
        person: personId(row.person),
        text: row.question,
        earlierAttempts: row.attempts - 1,
        joinsThread: row.thread_ts !== row.message_ts && !other,
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
          if (!(await holds(manager, lease))) throw new AppError("LEASE_LOST");
          await manager.query(
            `INSERT INTO answer_messages (tenant_id, turn_id, part, ts) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tenant_id, turn_id, part) DO UPDATE SET ts = excluded.ts`,
            [this.#tenant, lease.turn, part, ts],
          );
        }),
    };
  }

  finish(lease: Lease, end: TurnEnd): Promise<boolean> {
    return this.#transaction(async (manager) => {
      const [gone] = await manager.query<[object[], number]>(
        `DELETE FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 RETURNING turn_id`,
        [lease.turn, lease.token],
      );
      if (gone.length === 0) return false;
      await manager.query(`UPDATE turns SET status = $2, error_code = $3, finished_at = now() WHERE id = $1`, [
        lease.turn,
        end.status,
        end.errorCode ?? null,
      ]);
      // The answer stands under its first message; an answer that never reached Slack stands under its turn's id.
      if (end.answer)
        await manager.query(
          `INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, answers_ts, text)
           SELECT tenant_id, channel, coalesce((SELECT ts FROM answer_messages WHERE turn_id = turns.id ORDER BY part LIMIT 1), id::text),
                  thread_ts, 'assistant', message_ts, $2
           FROM turns WHERE id = $1
           ON CONFLICT (tenant_id, channel, ts) DO UPDATE SET text = excluded.text`,
          [lease.turn, end.answer],
        );
      return true;
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

  #remember(manager: EntityManager, message: IncomingMessage): Promise<unknown> {
    return manager.query(
      `INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, person, text) VALUES ($1, $2, $3, $4, 'person', $5, $6)
       ON CONFLICT (tenant_id, channel, ts) DO NOTHING`,
      [this.#tenant, message.channel, message.ts, message.thread, message.person, message.text],
    );
  }
}

interface TurnRow {
  readonly channel: string;
  readonly thread_ts: string;
  readonly message_ts: string;
  readonly person: string;
  readonly question: string;
  readonly attempts: number;
}

/** Names a thread in the global queue without saying which one it is. */
const threadKey = (tenant: TenantId, channel: ChannelId, thread: MessageTs): string =>
  createHash("sha256")
    .update(JSON.stringify([tenant, channel, thread]))
    .digest("hex");

/** One message of a thread at a time: positions in the queue are then seen in the order in which they were given. */
const lockThread = (manager: EntityManager, key: string): Promise<unknown> =>
  manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [key]);

async function seen(manager: EntityManager, { eventId, channel, ts }: IncomingMessage): Promise<boolean> {
  const rows = await manager.query<object[]>(`SELECT 1 FROM turns WHERE event_id = $1 OR (channel = $2 AND message_ts = $3) LIMIT 1`, [
    eventId,
    channel,
    ts,
  ]);
  return rows.length > 0;
}

async function takesPart(manager: EntityManager, { channel, thread }: IncomingMessage): Promise<boolean> {
  const rows = await manager.query<object[]>(
    `SELECT 1 FROM turns WHERE channel = $1 AND thread_ts = $2 AND status NOT IN ('ignored', 'refused') LIMIT 1`,
    [channel, thread],
  );
  return rows.length > 0;
}

async function fullness(
  manager: EntityManager,
  tenant: TenantId,
  key: string,
  limits: QueueLimits,
): Promise<"thread-full" | "workspace-full" | undefined> {
  const [row] = await manager.query<{ thread: number; own: number; total: number }[]>(
    `SELECT count(*) FILTER (WHERE tenant_id = $1 AND thread_key = $2)::int AS thread,
            count(*) FILTER (WHERE tenant_id = $1)::int AS own, count(*)::int AS total FROM turn_queue`,
    [tenant, key],
  );
  if (!row) return undefined;
  if (row.thread >= limits.perThread) return "thread-full";
  return row.own >= limits.perTenant || row.total >= limits.total ? "workspace-full" : undefined;
}

const enqueue = (manager: EntityManager, tenant: TenantId, turn: TurnId, key: string): Promise<unknown> =>
  manager.query(`INSERT INTO turn_queue (turn_id, tenant_id, thread_key) VALUES ($1, $2, $3)`, [turn, tenant, key]);

/** Whether the lease is still ours; keeps it so until the transaction ends. */
async function holds(manager: EntityManager, { turn, token }: Lease): Promise<boolean> {
  const rows = await manager.query<object[]>(`SELECT 1 FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 FOR UPDATE`, [turn, token]);
  return rows.length > 0;
}
