import type { ThreadMessage } from "../../agent/ports.ts";
import type { ThreadRows } from "../../bot/turns/turn-store.ts";
import { type ChannelId, type MessageTs, messageTs, personId, type TenantId } from "../../core/ids.ts";
import { prepared } from "../prepared.ts";
import type { TenantTransaction } from "../transaction.ts";

/** One tenant's memory of threads in Postgres. */
export class ThreadRepository implements ThreadRows {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  history(channel: ChannelId, thread: MessageTs, limit: number, before?: MessageTs): Promise<readonly ThreadMessage[]> {
    return this.#transaction(async (manager) => {
      // An answer stands where its question stands, however late it came: a follow-up written meanwhile still sees it.
      // Times are compared as exact numbers; as text "9.1" would come after "10.1".
      const rows = await manager.query<Row[]>(remembered, [channel, thread, before ?? null, limit]);
      return rows.reverse().map(toMessage);
    });
  }

  async add(channel: ChannelId, thread: MessageTs, messages: readonly ThreadMessage[]): Promise<void> {
    await this.#transaction((manager) =>
      manager.query(
        `INSERT INTO thread_messages (tenant_id, channel, thread_ts, ts, author, person, text)
         SELECT $1, $2, $3, m->>'ts', m->>'author', m->>'person', m->>'text' FROM jsonb_array_elements($4::jsonb) AS m
         ON CONFLICT (tenant_id, channel, ts) DO NOTHING`,
        [this.#tenant, channel, thread, JSON.stringify(messages)],
      ),
    );
  }
}

interface Row {
  readonly ts: string;
  readonly author: "person" | "assistant";
  readonly person: string | null;
  readonly text: string;
}

const toMessage = ({ ts, author, person, text }: Row): ThreadMessage => ({
  ts: messageTs(ts),
  author,
  text,
  ...(person ? { person: personId(person) } : {}),
});

const remembered = prepared(`
  SELECT ts, author, person, text FROM thread_messages
  WHERE channel = $1 AND thread_ts = $2 AND ($3::numeric IS NULL OR coalesce(answers_ts, ts)::numeric < $3::numeric)
  ORDER BY coalesce(answers_ts, ts)::numeric DESC, author = 'person', created_at DESC LIMIT $4`);
