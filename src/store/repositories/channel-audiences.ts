import type { TenantAudiences } from "../../bot/audience/audience-store.ts";
import type { Once } from "../../bot/commands/command-store.ts";
import type { ChannelId, TenantId } from "../../core/ids.ts";
import type { Rights } from "../../permissions/audience.ts";
import { prepared } from "../prepared.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

/** With whose rights one tenant's channels are answered, in Postgres. */
export class ChannelAudienceRepository implements TenantAudiences {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  inChannel(channel: ChannelId): Promise<Rights> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<{ rights: Rights }[]>(rightsIn, [channel]);
      return row?.rights ?? "every_member";
    });
  }

  set({ key, attempts }: Once, channel: ChannelId, rights: Rights): Promise<"changed" | "unchanged" | "seen"> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen";
      const [before] = await manager.query<{ rights: Rights }[]>("SELECT rights FROM channel_audiences WHERE channel_id = $1 FOR UPDATE", [
        channel,
      ]);
      await manager.query(
        `INSERT INTO channel_audiences (tenant_id, channel_id, rights) VALUES ($1, $2, $3)
         ON CONFLICT (tenant_id, channel_id) DO UPDATE SET rights = excluded.rights`,
        [this.#tenant, channel, rights],
      );
      const changed = (before?.rights ?? "every_member") !== rights;
      const outcome = changed ? ("done" as const) : ("unchanged" as const);
      await noteAttempts(manager, this.#tenant, attempts, outcome);
      return changed ? "changed" : "unchanged";
    });
  }
}

const rightsIn = prepared("SELECT rights FROM channel_audiences WHERE channel_id = $1");
