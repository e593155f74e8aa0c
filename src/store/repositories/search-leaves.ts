import type { AskedMessage, SearchLeaves } from "../../bot/workspace/slack-search.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import type { SealedPlace, Sealing } from "../sealing.ts";
import type { TenantTransaction } from "../transaction.ts";

/** One tenant's leaves to search Slack in Postgres, each sealed for exactly its message and person. The database's clock says what has expired. */
export class SearchLeaveRepository implements SearchLeaves {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #sealing: Sealing;

  constructor(tenant: TenantId, run: TenantTransaction, sealing: Sealing) {
    this.#tenant = tenant;
    this.#run = run;
    this.#sealing = sealing;
  }

  async keep(message: AskedMessage, leave: Secret, flag: string, keptMs: number): Promise<void> {
    await this.#run(async (manager) => {
      await manager.query("DELETE FROM search_leaves WHERE tenant_id = $1 AND expires_at < clock_timestamp()", [this.#tenant]);
      await manager.query(
        `INSERT INTO search_leaves (tenant_id, channel_id, message_ts, person_id, sealed_leave, expires_at)
         SELECT $1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond'
         FROM tool_settings WHERE tenant_id = $1 AND $7 = ANY (flags)
         ON CONFLICT (tenant_id, channel_id, message_ts) DO NOTHING`,
        [
          ...[this.#tenant, message.channel, message.ts, message.person],
          ...[this.#sealing.seal(leave, this.#place(message)), keptMs, flag],
        ],
      );
    });
  }

  async find(message: AskedMessage): Promise<Secret | undefined> {
    const [row] = await this.#run((manager) =>
      manager.query<{ sealed: string }[]>(
        `SELECT sealed_leave AS sealed FROM search_leaves
         WHERE tenant_id = $1 AND channel_id = $2 AND message_ts = $3 AND person_id = $4 AND expires_at >= clock_timestamp()`,
        [this.#tenant, message.channel, message.ts, message.person],
      ),
    );
    return row && this.#sealing.open(row.sealed, this.#place(message));
  }

  #place({ channel, ts, person }: AskedMessage): SealedPlace {
    return { tenant: this.#tenant, table: "search_leaves", column: "sealed_leave", row: JSON.stringify([channel, ts, person]) };
  }
}
