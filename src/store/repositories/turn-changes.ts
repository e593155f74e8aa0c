import type { EntityManager } from "typeorm";
import type { DeletedMessage, EditedMessage, StopPlace, TurnChanges } from "../../bot/turns/turn-changes.ts";
import { type ChannelId, messageTs, type PersonId, personId, type TenantId, type TurnId, turnId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { enqueue } from "./thread-queue.ts";

/**
 * What people do about their questions, in Postgres. Whoever changes a turn locks its place in the queue first and the turn second, as
 * those who work on it do.
 */
export class TurnChangeRepository implements TurnChanges {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  edit(edited: EditedMessage): ReturnType<TurnChanges["edit"]> {
    const { channel, ts, person, text, editedTs } = edited;
    return this.#transaction(async (manager) => {
      const queued = await this.#place(manager, edited);
      const [turns] = await manager.query<[TurnRow[], number]>(
        `UPDATE turns SET question = $4, edited_ts = $5
         WHERE channel = $1 AND message_ts = $2 AND person = $3 AND question <> $4 AND deleted_at IS NULL
           AND (edited_ts IS NULL OR edited_ts::numeric < $5::numeric) RETURNING id, status, thread_ts`,
        [channel, ts, person, text, editedTs],
      );
      const turn = turns[0];
      if (!turn) {
        const [known] = await manager.query<object[]>("SELECT FROM turns WHERE channel = $1 AND message_ts = $2", [channel, ts]);
        return !known && (await remember(manager, edited)) ? "noted" : "unchanged";
      }
      await remember(manager, edited);
      if (queued) {
        if (!queued.leased || queued.stop === "cancelled") return "noted";
        await manager.query("UPDATE turn_queue SET stop = 'replaced' WHERE turn_id = $1", [turn.id]);
        return "replaced";
      }
      if (!askedAgain.has(turn.status)) return "noted";
      await this.#queueAgain(manager, turn, edited.channel);
      return "queued";
    });
  }

  remove(deleted: DeletedMessage): Promise<TurnId | undefined> {
    const { channel, ts, thread, eventId, person } = deleted;
    return this.#transaction(async (manager) => {
      const queued = await this.#place(manager, deleted);
      await manager.query("DELETE FROM thread_messages WHERE channel = $1 AND ts = $2 AND author = 'person'", [channel, ts]);
      const [turns] = await manager.query<[TurnRow[], number]>(
        `UPDATE turns SET question = '', deleted_at = now() WHERE channel = $1 AND message_ts = $2 AND deleted_at IS NULL
         RETURNING id, status, thread_ts`,
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
      if (!queued) return undefined;
      await manager.query("UPDATE turn_queue SET stop = 'cancelled' WHERE turn_id = $1", [turn.id]);
      return turnId(turn.id);
    });
  }

  unfinished({ channel, turn, thread, before, messages }: StopPlace): ReturnType<TurnChanges["unfinished"]> {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<{ id: string; person: string }[]>(
        `SELECT id, person FROM turns JOIN turn_queue ON turn_id = id
         WHERE channel = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR thread_ts = $3)
           AND ($4::text IS NULL OR message_ts::numeric < $4::numeric)
           AND ($5::text[] IS NULL OR EXISTS (SELECT FROM answer_messages AS shown WHERE shown.turn_id = id AND ts = ANY ($5)))`,
        [channel, turn ?? null, thread ?? null, before ?? null, messages ? [...messages] : null],
      );
      return rows.map(({ id, person }) => ({ turn: turnId(id), person: personId(person) }));
    });
  }

  stop(turns: readonly TurnId[], by: PersonId): Promise<readonly TurnId[]> {
    return this.#transaction(async (manager) => {
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

  restart(channel: ChannelId, by: PersonId | undefined): Promise<readonly TurnId[]> {
    return this.#transaction(async (manager) => {
      const [rows] = await manager.query<[{ turn_id: string }[], number]>(
        `UPDATE turn_queue SET stop = 'replaced' WHERE tenant_id = $2 AND lease_token IS NOT NULL AND stop IS NULL
           AND turn_id IN (SELECT id FROM turns WHERE channel = $1) RETURNING turn_id`,
        [channel, this.#tenant],
      );
      const attempt = { actor: by ?? "slack", action: "audience-changed", subject: channel, channel, outcome: "done" } as const;
      if (rows.length > 0) await noteAttempts(manager, this.#tenant, [attempt]);
      return rows.map(({ turn_id }) => turnId(turn_id));
    });
  }

  again(turn: TurnId, { channel, person, attempt }: Parameters<TurnChanges["again"]>[1]): Promise<boolean> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<TurnRow[]>(
        `SELECT id, status, thread_ts FROM turns WHERE id = $1 AND channel = $2 AND person = $3 AND attempts = $4 + 1
           AND status IN ('answered', 'stopped') AND deleted_at IS NULL FOR UPDATE`,
        [turn, channel, person, attempt],
      );
      if (row) await this.#queueAgain(manager, row, channel);
      return row !== undefined;
    });
  }

  /** The message's place in the queue, locked; undefined when it has none. */
  async #place(manager: EntityManager, { channel, ts }: { readonly channel: ChannelId; readonly ts: string }) {
    const [row] = await manager.query<{ leased: boolean; stop: string | null }[]>(
      `SELECT lease_token IS NOT NULL AS leased, stop FROM turn_queue
       WHERE turn_id = (SELECT id FROM turns WHERE channel = $1 AND message_ts = $2) FOR UPDATE`,
      [channel, ts],
    );
    return row;
  }

  async #queueAgain(manager: EntityManager, { id, thread_ts }: TurnRow, channel: ChannelId): Promise<void> {
    // The old answer is not what was said any more.
    await manager.query(
      `WITH again AS (
         UPDATE turns SET status = 'queued', error_code = NULL, finished_at = NULL, stopped_by = NULL WHERE id = $1 RETURNING channel, message_ts)
       DELETE FROM thread_messages USING again
       WHERE thread_messages.channel = again.channel AND answers_ts = again.message_ts AND author = 'assistant'`,
      [id],
    );
    await enqueue(manager, this.#tenant, { turn: turnId(id), channel, thread: messageTs(thread_ts) });
  }
}

/** Ends after which another wording is asked. */
const askedAgain: ReadonlySet<string> = new Set(["answered", "failed", "interrupted", "stopped"]);

interface TurnRow {
  readonly id: string;
  readonly status: string;
  readonly thread_ts: string;
}

/** Puts another wording into the memory of its thread. @returns whether the message was there */
async function remember(manager: EntityManager, { channel, ts, person, text }: EditedMessage): Promise<boolean> {
  const [, kept] = await manager.query<[object[], number]>(
    "UPDATE thread_messages SET text = $4 WHERE channel = $1 AND ts = $2 AND author = 'person' AND person = $3",
    [channel, ts, person, text],
  );
  const [, early] = await manager.query<[object[], number]>(
    "UPDATE early_messages SET text = $4 WHERE channel = $1 AND ts = $2 AND person = $3 AND kind <> 'deleted'",
    [channel, ts, person, text],
  );
  return kept + early > 0;
}
