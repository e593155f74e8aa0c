import type { EntityManager } from "typeorm";
import type { DeletedMessage, EditedMessage, StopPlace, TurnChanges } from "../../bot/turns/turn-changes.ts";
import type { AskedAgain, QueueLimits } from "../../bot/turns/turn-store.ts";
import { AppError } from "../../core/errors.ts";
import { type ChannelId, messageTs, type PersonId, personId, type TenantId, type TurnId, turnId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";
import { wishMerged } from "./merged-turns.ts";
import { enqueue, lockThread, lockThreadOf, threadKey } from "./thread-queue.ts";

/**
 * What people do about their questions, in Postgres. Whoever changes a turn locks its place in the queue first and the turn second, as
 * those who work on it do; who needs the thread's lock, as everybody does who queues a turn, takes it before both.
 */
export class TurnChangeRepository implements TurnChanges {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  edit(edited: EditedMessage, limits: QueueLimits): ReturnType<TurnChanges["edit"]> {
    const { channel, ts, thread, person, text, editedTs } = edited;
    return this.#transaction(async (manager) => {
      // The message itself may be on its way at this moment.
      await lockThread(manager, threadKey(this.#tenant, channel, thread));
      const queued = await this.#place(manager, edited);
      const [turns] = await manager.query<[TurnRow[], number]>(
        `UPDATE turns SET question = $4, edited_ts = $5
         WHERE channel = $1 AND message_ts = $2 AND person = $3 AND question <> $4 AND deleted_at IS NULL
           AND (edited_ts IS NULL OR edited_ts::numeric < $5::numeric) RETURNING id, status, thread_ts, merged_into`,
        [channel, ts, person, text, editedTs],
      );
      const turn = turns[0];
      if (!turn) {
        const [known] = await manager.query<object[]>("SELECT FROM turns WHERE channel = $1 AND message_ts = $2", [channel, ts]);
        return !known && ((await remember(manager, edited)) || (await this.#keep(manager, edited))) ? "noted" : "unchanged";
      }
      await remember(manager, edited);
      const answered = turn.merged_into ? await mergedTo(manager, turn.merged_into) : { ...turn, queued };
      if (answered.queued) return (await beginAnew(manager, answered.id, answered.queued)) ? "replaced" : "noted";
      if (!askedAgain.has(answered.status)) return "noted";
      return this.#queueAgain(manager, answered, channel, limits);
    });
  }

  remove(deleted: DeletedMessage): Promise<TurnId | undefined> {
    const { channel, ts, thread, eventId, person } = deleted;
    return this.#transaction(async (manager) => {
      await lockThread(manager, threadKey(this.#tenant, channel, thread));
      const queued = await this.#place(manager, deleted);
      await manager.query("DELETE FROM thread_messages WHERE channel = $1 AND ts = $2 AND author = 'person'", [channel, ts]);
      await forgetSummary(manager, deleted);
      const [turns] = await manager.query<[TurnRow[], number]>(
        `UPDATE turns SET question = '', deleted_at = now() WHERE channel = $1 AND message_ts = $2 AND deleted_at IS NULL
         RETURNING id, status, thread_ts, merged_into`,
        [channel, ts],
      );
      const turn = turns[0];
      if (!turn) {
        // It may come yet: Slack's deliveries overtake each other.
        await manager.query(
          `INSERT INTO early_messages (tenant_id, channel, ts, thread_ts, event_id, person, text, kind)
           SELECT $1::uuid, $2, $3, $4, $5, $6, '', 'deleted' WHERE NOT EXISTS (SELECT FROM turns WHERE channel = $2 AND message_ts = $3)
           ON CONFLICT (tenant_id, channel, ts) DO UPDATE SET text = '', files = '{}', kind = 'deleted'`,
          [this.#tenant, channel, ts, thread, eventId, person],
        );
        return undefined;
      }
      if (turn.merged_into) {
        // The answer that has taken it in goes on without it; one that was given stays.
        const { id, queued: host } = await mergedTo(manager, turn.merged_into);
        if (host && host.stop === null) await beginAnew(manager, id, host);
      }
      if (!queued) return undefined;
      await manager.query("UPDATE turn_queue SET stop = 'cancelled' WHERE turn_id = $1", [turn.id]);
      return turnId(turn.id);
    });
  }

  unfinished({ channel, turn, thread, before, messages }: StopPlace): ReturnType<TurnChanges["unfinished"]> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<{ id: string; person: string; question: string }[]>(
        `SELECT id, person, question FROM turns JOIN turn_queue ON turn_id = id
         WHERE channel = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR thread_ts = $3)
           AND ($4::text IS NULL OR message_ts::numeric < $4::numeric)
           AND ($5::text[] IS NULL OR EXISTS (SELECT FROM answer_messages AS shown WHERE shown.turn_id = id AND ts = ANY ($5)))
         ORDER BY position`,
        [channel, turn ?? null, thread ?? null, before ?? null, messages ? [...messages] : null],
      );
      return rows.map(({ id, person, question }) => ({ turn: turnId(id), person: personId(person), question }));
    });
  }

  stop(turns: readonly TurnId[], by: PersonId, key: string): Promise<readonly TurnId[] | undefined> {
    return this.#transaction(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return undefined;
      const [rows] = await manager.query<[{ turn_id: string }[], number]>(
        `UPDATE turn_queue SET stop = 'stopped' WHERE turn_id = ANY ($1) AND tenant_id = $2 AND (stop IS NULL OR stop = 'replaced')
         RETURNING turn_id`,
        [[...turns], this.#tenant],
      );
      const stopped = rows.map(({ turn_id }) => turn_id);
      await manager.query("UPDATE turns SET stopped_by = $2 WHERE id = ANY ($1)", [stopped, by]);
      return stopped.map(turnId);
    });
  }

  takeIn(message: Parameters<TurnChanges["takeIn"]>[0]): Promise<TurnId | undefined> {
    return this.#transaction((manager) => wishMerged(manager, this.#tenant, message));
  }

  restart(channel: ChannelId, by: PersonId | undefined): Promise<readonly TurnId[]> {
    return this.#transaction(async (manager) => {
      const [rows] = await manager.query<[{ turn_id: string }[], number]>(
        `UPDATE turn_queue SET stop = 'replaced' WHERE tenant_id = $2 AND lease_token IS NOT NULL AND stop IS NULL
           AND turn_id IN (SELECT id FROM turns WHERE channel = $1) RETURNING turn_id`,
        [channel, this.#tenant],
      );
      const attempt = { actor: by ?? "slack", action: "audience-changed", subject: channel, channel } as const;
      if (rows.length > 0) await noteAttempts(manager, this.#tenant, [attempt], "done");
      return rows.map(({ turn_id }) => turnId(turn_id));
    });
  }

  again(turn: TurnId, { channel, person, attempt }: Parameters<TurnChanges["again"]>[1], limits: QueueLimits): Promise<AskedAgain> {
    return this.#transaction(async (manager) => {
      await lockThreadOf(manager, this.#tenant, turn);
      const [row] = await manager.query<TurnRow[]>(
        `SELECT id, status, thread_ts, merged_into FROM turns WHERE id = $1 AND channel = $2 AND person = $3 AND attempts = $4 + 1
           AND status IN ('answered', 'stopped') AND deleted_at IS NULL FOR UPDATE`,
        [turn, channel, person, attempt],
      );
      return row ? this.#queueAgain(manager, row, channel, limits) : "not-offered";
    });
  }

  /** The message's place in the queue, locked; undefined when it has none. */
  async #place(manager: EntityManager, { channel, ts }: { readonly channel: ChannelId; readonly ts: string }) {
    const [row] = await manager.query<QueuePlace[]>(
      `SELECT lease_token IS NOT NULL AS leased, stop FROM turn_queue
       WHERE turn_id = (SELECT id FROM turns WHERE channel = $1 AND message_ts = $2) FOR UPDATE`,
      [channel, ts],
    );
    return row;
  }

  /** Keeps an edit for its message, which may come yet. @returns false when that cannot be */
  async #keep(manager: EntityManager, { channel, ts, thread, person, text, editedTs, awaited }: EditedMessage): Promise<boolean> {
    if (!awaited) return false;
    const kept = await manager.query<object[]>(
      `INSERT INTO early_messages (tenant_id, channel, ts, thread_ts, event_id, person, text, kind, edited_ts)
       SELECT $1::uuid, $2, $3::text, $4, '', $5, $6, 'edited', $7::text WHERE $7::text::numeric - $3::text::numeric <= $8::int
       ON CONFLICT (tenant_id, channel, ts) DO UPDATE SET text = excluded.text, edited_ts = excluded.edited_ts
       WHERE early_messages.kind = 'edited' AND early_messages.person = excluded.person
         AND early_messages.edited_ts::numeric < excluded.edited_ts::numeric
       RETURNING ts`,
      [this.#tenant, channel, ts, thread, person, text, editedTs, overtakenWithinSeconds],
    );
    return kept.length > 0;
  }

  async #queueAgain(
    manager: EntityManager,
    { id, thread_ts }: TurnRow,
    channel: ChannelId,
    limits: QueueLimits,
  ): Promise<Exclude<AskedAgain, "not-offered">> {
    const queued = await enqueue(manager, this.#tenant, { turn: turnId(id), channel, thread: messageTs(thread_ts) }, limits);
    if (queued !== "queued") return queued;
    // The old answer is not what was said any more.
    await manager.query(
      `WITH again AS (
         UPDATE turns SET status = 'queued', error_code = NULL, finished_at = NULL, stopped_by = NULL WHERE id = $1 RETURNING channel, message_ts)
       DELETE FROM thread_messages USING again
       WHERE thread_messages.channel = again.channel AND answers_ts = again.message_ts AND author = 'assistant'`,
      [id],
    );
    return queued;
  }
}

/** An edit that came longer after its message than Slack delivers a message again has not overtaken it. */
const overtakenWithinSeconds = 600;

/** Ends after which another wording is asked. */
const askedAgain: ReadonlySet<string> = new Set(["answered", "failed", "interrupted", "stopped"]);

interface TurnRow {
  readonly id: string;
  readonly status: string;
  readonly thread_ts: string;
  readonly merged_into: string | null;
}

/** A turn's place in the queue, locked. */
interface QueuePlace {
  readonly leased: boolean;
  readonly stop: string | null;
}

/** The turn whose answer has taken another one in, with its place in the queue while it has one. */
async function mergedTo(manager: EntityManager, id: string): Promise<TurnRow & { readonly queued?: QueuePlace | undefined }> {
  const [queued] = await manager.query<QueuePlace[]>(
    "SELECT lease_token IS NOT NULL AS leased, stop FROM turn_queue WHERE turn_id = $1 FOR UPDATE",
    [id],
  );
  const [turn] = await manager.query<TurnRow[]>("SELECT id, status, thread_ts, merged_into FROM turns WHERE id = $1", [id]);
  if (!turn) throw new AppError("INTERNAL");
  return { ...turn, queued };
}

/** Has the answer begun anew if it is being made. @returns whether it is */
async function beginAnew(manager: EntityManager, id: string, { leased, stop }: QueuePlace): Promise<boolean> {
  if (!leased || stop === "cancelled") return false;
  await manager.query("UPDATE turn_queue SET stop = 'replaced' WHERE turn_id = $1", [id]);
  return true;
}

/** Puts another wording into the memory of its thread. @returns whether the message was there */
async function remember(manager: EntityManager, edited: EditedMessage): Promise<boolean> {
  const { channel, ts, person, text, editedTs } = edited;
  const [, kept] = await manager.query<[object[], number]>(
    "UPDATE thread_messages SET text = $4 WHERE channel = $1 AND ts = $2 AND author = 'person' AND person = $3",
    [channel, ts, person, text],
  );
  if (kept > 0) await forgetSummary(manager, edited);
  const [, early] = await manager.query<[object[], number]>(
    `UPDATE early_messages SET text = $4, edited_ts = $5 WHERE channel = $1 AND ts = $2 AND person = $3
       AND kind NOT IN ('deleted', 'edited') AND (edited_ts IS NULL OR edited_ts::numeric < $5::numeric)`,
    [channel, ts, person, text, editedTs],
  );
  return kept + early > 0;
}

/** A summary that may say what a message said is made again without it. */
const forgetSummary = (manager: EntityManager, { channel, thread, ts }: Pick<EditedMessage, "channel" | "thread" | "ts">) =>
  manager.query("DELETE FROM thread_summaries WHERE channel = $1 AND thread_ts = $2 AND until_ts::numeric > $3::numeric", [
    channel,
    thread,
    ts,
  ]);
