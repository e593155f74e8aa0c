import type { EntityManager } from "typeorm";
import type { Once, TenantCommands } from "../../bot/commands/command-store.ts";
import type { ChannelId, MessageTs, TenantId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { newest } from "./templates.ts";
import { switchTool } from "./tool-switches.ts";

/** One tenant's commands in Postgres: the key, the change and the audit log are written in one transaction. */
export class CommandRepository implements TenantCommands {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  take({ key, attempts }: Once, noted: "refused" | "done" = "refused"): Promise<boolean> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return false;
      await noteAttempts(manager, this.#tenant, attempts, noted);
      return true;
    });
  }

  switchTools(
    { key, attempts }: Once,
    { state, tools, at }: Parameters<TenantCommands["switchTools"]>[1],
  ): Promise<readonly string[] | "seen"> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen";
      const changed: string[] = [];
      for (const tool of tools) if (await switchTool(manager, this.#tenant, { tool, state, at })) changed.push(tool);
      await noteAttempts(manager, this.#tenant, attempts, ({ subject }) => (changed.includes(subject) ? "done" : "unchanged"));
      return changed;
    });
  }

  useTemplate({ key, attempts }: Once, channel: ChannelId, name: string): Promise<"changed" | "unchanged" | "unknown" | "seen"> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen";
      const known = await newest(manager, name);
      const outcome = known ? await this.#choose(manager, channel, name) : "unknown";
      const noted = outcome === "changed" ? "done" : outcome === "unknown" ? "refused" : "unchanged";
      await noteAttempts(manager, this.#tenant, attempts, noted);
      return outcome;
    });
  }

  takesPart(channel: ChannelId, thread: MessageTs): Promise<boolean> {
    return this.#run(async (manager) => {
      const rows = await manager.query<object[]>(
        "SELECT 1 FROM turns WHERE channel = $1 AND thread_ts = $2 AND status NOT IN ('ignored', 'refused') LIMIT 1",
        [channel, thread],
      );
      return rows.length > 0;
    });
  }

  async #choose(manager: EntityManager, channel: ChannelId, name: string): Promise<"changed" | "unchanged"> {
    const rows = await manager.query<object[]>(
      `INSERT INTO channel_templates (tenant_id, channel_id, template) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, channel_id) DO UPDATE SET template = excluded.template WHERE channel_templates.template <> excluded.template
       RETURNING template`,
      [this.#tenant, channel, name],
    );
    if (rows.length === 0) return "unchanged";
    await manager.query("DELETE FROM tool_switches WHERE scope = 'channel' AND channel_id = $1 AND state = 'on'", [channel]);
    return "changed";
  }
}

/** Slack delivers again within hours; older keys are of no use. */
const keptFor = "2 days";

/** Whether the key was free; then it is taken for good once the transaction commits. A second transaction with the same key waits here. */
export async function takeKey(manager: EntityManager, tenant: TenantId, key: string): Promise<boolean> {
  const taken = await manager.query<object[]>(
    "INSERT INTO handled_commands (tenant_id, command_key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING command_key",
    [tenant, key],
  );
  if (taken.length > 0) await manager.query("DELETE FROM handled_commands WHERE handled_at < now() - $1::interval", [keptFor]);
  return taken.length > 0;
}
