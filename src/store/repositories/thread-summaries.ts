import type { ThreadSummaries, ThreadSummary } from "../../agent/ports.ts";
import { type ChannelId, type MessageTs, messageTs, type TenantId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";

/** One tenant's summaries of long threads in Postgres. */
export class ThreadSummaryRepository implements ThreadSummaries {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  find(channel: ChannelId, thread: MessageTs): Promise<ThreadSummary | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<{ text: string; until_ts: string }[]>(
        "SELECT text, until_ts FROM thread_summaries WHERE channel = $1 AND thread_ts = $2",
        [channel, thread],
      );
      return row && { text: row.text, until: messageTs(row.until_ts) };
    });
  }

  async save(channel: ChannelId, thread: MessageTs, { text, until }: ThreadSummary): Promise<void> {
    await this.#transaction((manager) =>
      manager.query(
        `INSERT INTO thread_summaries (tenant_id, channel, thread_ts, until_ts, text) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, channel, thread_ts) DO UPDATE SET until_ts = excluded.until_ts, text = excluded.text, created_at = now()
         WHERE thread_summaries.until_ts::numeric < excluded.until_ts::numeric`,
        [this.#tenant, channel, thread, until, text],
      ),
    );
  }
}
