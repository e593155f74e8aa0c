import type { AnswerJournal } from "../../bot/ports.ts";
import type {
  Accepted,
  AskedAgain,
  BeginWish,
  Begun,
  HaltKind,
  IncomingMessage,
  Lease,
  QueueLimits,
  StartedTurn,
  TenantTurns,
  TurnEnd,
} from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import { type ChannelId, channelId, messageTs, type PersonId, personId, type TenantId, type TurnId } from "../../core/ids.ts";
import { prepared } from "../prepared.ts";
import type { TenantTransaction } from "../transaction.ts";
import { accepted, takeEarly } from "./acceptance.ts";
import { askAlone, takenIn } from "./merged-turns.ts";
import { enqueue, lockingThread, lockThreadOf, threadKey } from "./thread-queue.ts";

/** One tenant's turns in Postgres: the question, its place in the queue and its memory are written in one transaction. */
export class TurnRepository implements TenantTurns {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  accept(message: IncomingMessage, limits: QueueLimits, begin?: BeginWish): Promise<Accepted | Begun> {
    const { channel, thread, ts, person, files = [] } = message;
    const key = threadKey(this.#tenant, channel, thread);
    return this.#transaction(
      async (manager, opened) => {
        const {
          outcome,
          turn,
          wording: text,
          token,
          takesPart,
          early,
        } = await accepted(manager, this.#tenant, message, limits, opened?.places ? begin : undefined);
        if (early) for (const follower of await takeEarly(manager, message)) await accepted(manager, this.#tenant, follower, limits);
        if (token === null) return outcome;
        const joinsThread = thread !== ts && !takesPart;
        return {
          lease: { turn, tenant: this.#tenant, token, attempt: 1 },
          turn: { id: turn, channel, thread, ts, person, text, files, earlierAttempts: 0, joinsThread },
          moreWait: early,
        };
      },
      lockingThread(key, begin && this.#tenant),
    );
  }

  start(lease: Lease): Promise<StartedTurn | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<TurnRow[]>(starting, [lease.turn, lease.token]);
      if (!row) return undefined;
      return {
        id: lease.turn,
        channel: channelId(row.channel),
        thread: messageTs(row.thread_ts),
        ts: messageTs(row.message_ts),
        person: personId(row.person),
        text: row.question,
        files: row.files,
        ...(row.stop && { halt: row.stop }),
        ...(row.added_to && { addedTo: true }),
        earlierAttempts: row.attempts - 1,
        joinsThread: row.thread_ts !== row.message_ts && !row.takes_part,
      };
    });
  }

  additions(lease: Lease): ReturnType<TenantTurns["additions"]> {
    return this.#transaction((manager) => takenIn(manager, lease));
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
          const noted = await manager.query<object[]>(noting, [this.#tenant, lease.turn, part, ts, lease.token]);
          if (noted.length === 0) throw new AppError("LEASE_LOST");
        }),
    };
  }

  finish(lease: Lease, end: TurnEnd): Promise<boolean> {
    const given = end.status !== "cancelled" && end.status !== "ignored";
    return this.#transaction(async (manager) => {
      if (!given) await lockThreadOf(manager, this.#tenant, lease.turn);
      // The answer stands under its first message; an answer that never reached Slack stands under its turn's id.
      const ended = await manager.query<object[]>(finishing, [
        lease.turn,
        lease.token,
        end.status,
        end.errorCode ?? null,
        end.answer ?? "",
      ]);
      if (ended.length > 0 && !given) await askAlone(manager, this.#tenant, lease.turn);
      return ended.length > 0;
    });
  }

  retry(turn: TurnId, { channel, person }: { channel: ChannelId; person: PersonId }, limits: QueueLimits): Promise<AskedAgain> {
    return this.#transaction(async (manager) => {
      const thread = await lockThreadOf(manager, this.#tenant, turn);
      const [row] = await manager.query<object[]>(
        `SELECT FROM turns
         WHERE id = $1 AND channel = $2 AND person = $3 AND status IN ('failed', 'interrupted') AND deleted_at IS NULL FOR UPDATE`,
        [turn, channel, person],
      );
      if (!row || !thread) return "not-offered";
      const outcome = await enqueue(manager, this.#tenant, { turn, channel, thread }, limits);
      if (outcome !== "queued") return outcome;
      await manager.query("UPDATE turns SET status = 'queued', error_code = NULL, finished_at = NULL WHERE id = $1", [turn]);
      return outcome;
    });
  }

  stopper(turn: TurnId): Promise<PersonId | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<{ stopped_by: string | null }[]>("SELECT stopped_by FROM turns WHERE id = $1", [turn]);
      return row?.stopped_by ? personId(row.stopped_by) : undefined;
    });
  }
}

interface TurnRow {
  readonly channel: string;
  readonly thread_ts: string;
  readonly message_ts: string;
  readonly person: string;
  readonly question: string;
  readonly files: readonly string[];
  readonly stop: HaltKind | null;
  readonly added_to: boolean;
  readonly attempts: number;
  /** Whether the bot has been asked something in its thread before. */
  readonly takes_part: boolean;
}

const starting = prepared(`
  WITH mine AS (SELECT stop FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 FOR UPDATE),
       begun AS (
         UPDATE turns SET status = 'running', attempts = attempts + 1 WHERE id = $1 AND EXISTS (SELECT FROM mine)
         RETURNING id, channel, thread_ts, message_ts, person, question, files, attempts)
  SELECT begun.*, (SELECT stop FROM mine) AS stop, EXISTS (
    SELECT FROM turns AS other
    WHERE other.channel = begun.channel AND other.thread_ts = begun.thread_ts AND other.id <> $1
      AND other.status NOT IN ('ignored', 'refused')) AS takes_part,
    EXISTS (SELECT FROM turns AS added WHERE added.merged_into = $1)
      OR EXISTS (SELECT FROM turn_queue AS added WHERE added.merges_into = $1) AS added_to
  FROM begun`);

const noting = prepared(`
  WITH mine AS (SELECT FROM turn_queue WHERE turn_id = $2 AND lease_token = $5 FOR UPDATE)
  INSERT INTO answer_messages (tenant_id, turn_id, part, ts) SELECT $1::uuid, $2::uuid, $3::int, $4 FROM mine
  ON CONFLICT (tenant_id, turn_id, part) DO UPDATE SET ts = excluded.ts RETURNING part`);

const finishing = prepared(`
  WITH gone AS (
         DELETE FROM turn_queue WHERE turn_id = $1 AND lease_token = $2 AND stop IS DISTINCT FROM 'replaced' RETURNING turn_id),
       ended AS (
         UPDATE turns SET status = $3, error_code = $4, finished_at = now() WHERE id = $1 AND EXISTS (SELECT FROM gone)
         RETURNING tenant_id, channel, id, thread_ts, message_ts),
       remembered AS (
         INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, answers_ts, text)
         SELECT tenant_id, channel, coalesce((SELECT ts FROM answer_messages WHERE turn_id = $1 ORDER BY part LIMIT 1), id::text),
                thread_ts, 'assistant', message_ts, $5
         FROM ended WHERE $5::text <> ''
         ON CONFLICT (tenant_id, channel, ts) DO UPDATE SET text = excluded.text)
  SELECT FROM gone`);
