import type { Once } from "../../bot/commands/command-store.ts";
import type { AskedQuestion, Origin, TenantPrivateSearches } from "../../bot/surfaces/private/private-store.ts";
import {
  type ChannelId,
  channelId,
  type MessageTs,
  messageTs,
  personId,
  type TenantId,
  type TraceId,
  type TurnId,
} from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

/** Whether the question stands in the thread of the direct message: that it was opened alone says nothing. */
const asked = (search: string): string =>
  `EXISTS (SELECT FROM turns AS t WHERE t.channel = ${search}.direct_channel AND t.thread_ts = ${search}.direct_thread AND t.status <> 'refused')`;

/** One tenant's private searches in Postgres. */
export class PrivateSearchRepository implements TenantPrivateSearches {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  question(turn: TurnId): Promise<AskedQuestion | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<(PlaceRow & { question: string; files: string[] })[]>(
        "SELECT channel, thread_ts, person, question, files FROM turns WHERE id = $1 AND deleted_at IS NULL",
        [turn],
      );
      return row && { ...toOrigin(row), text: row.question, files: row.files };
    });
  }

  claim(turn: TurnId, { channel, thread, person }: Origin): Promise<boolean> {
    return this.#run(async (manager) => {
      const rows = await manager.query<object[]>(
        `INSERT INTO private_searches AS s (tenant_id, turn_id, person, channel, thread_ts) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, turn_id) DO UPDATE SET claimed_at = now()
           WHERE s.claimed_at < now() - interval '1 minute' AND NOT ${asked("s")}
         RETURNING turn_id`,
        [this.#tenant, turn, person, channel, thread],
      );
      return rows.length > 0;
    });
  }

  async release(turn: TurnId): Promise<void> {
    await this.#run((manager) => manager.query(`DELETE FROM private_searches AS s WHERE turn_id = $1 AND NOT ${asked("s")}`, [turn]));
  }

  async opened(turn: TurnId, { channel, thread }: { readonly channel: ChannelId; readonly thread: MessageTs }): Promise<void> {
    await this.#run((manager) =>
      manager.query("UPDATE private_searches SET direct_channel = $2, direct_thread = $3 WHERE turn_id = $1", [turn, channel, thread]),
    );
  }

  origin(channel: ChannelId, thread: MessageTs): Promise<Origin | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<PlaceRow[]>(
        "SELECT channel, thread_ts, person FROM private_searches WHERE direct_channel = $1 AND direct_thread = $2",
        [channel, thread],
      );
      return row && toOrigin(row);
    });
  }

  answer(channel: ChannelId, message: MessageTs): Promise<string | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<{ text: string }[]>(
        "SELECT text FROM thread_messages WHERE channel = $1 AND answers_ts = $2 AND author = 'assistant'",
        [channel, message],
      );
      return row?.text;
    });
  }

  share({ key, attempts }: Once, trace: TraceId): ReturnType<TenantPrivateSearches["share"]> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen";
      const [first] = await manager.query<object[]>(
        "INSERT INTO shared_answers (tenant_id, trace_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING trace_id",
        [this.#tenant, trace],
      );
      const [[again]] = first
        ? [[]]
        : await manager.query<[object[], number]>(
            `UPDATE shared_answers SET shared_at = now()
             WHERE trace_id = $1 AND NOT posted AND shared_at < now() - interval '1 minute' RETURNING trace_id`,
            [trace],
          );
      const outcome = first || again ? ("done" as const) : ("unchanged" as const);
      await noteAttempts(manager, this.#tenant, attempts, outcome);
      if (first) return "first";
      if (again) return "again";
      const [row] = await manager.query<{ posted: boolean }[]>("SELECT posted FROM shared_answers WHERE trace_id = $1", [trace]);
      return row?.posted === false ? "running" : "before";
    });
  }

  async shared(trace: TraceId): Promise<void> {
    await this.#run((manager) => manager.query("UPDATE shared_answers SET posted = true WHERE trace_id = $1", [trace]));
  }

  async giveUpSharing(trace: TraceId): Promise<void> {
    await this.#run((manager) =>
      manager.query("UPDATE shared_answers SET shared_at = '-infinity' WHERE trace_id = $1 AND NOT posted", [trace]),
    );
  }
}

interface PlaceRow {
  readonly channel: string;
  readonly thread_ts: string;
  readonly person: string;
}

const toOrigin = ({ channel, thread_ts, person }: PlaceRow): Origin => ({
  channel: channelId(channel),
  thread: messageTs(thread_ts),
  person: personId(person),
});
