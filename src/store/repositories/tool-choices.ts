import type { Choices } from "../../agent/ports.ts";
import type { ChannelId, MessageTs, PersonId, TenantId } from "../../core/ids.ts";
import type { Role } from "../../permissions/directory.ts";
import type { ToolChoices } from "../../permissions/enabled-tools.ts";
import type { Settings } from "../../plugins/contract.ts";
import { type ToolSettingsRow, type ToolSwitchRow, toolSettingsEntity, toolSwitchEntity } from "../entities.ts";
import type { TenantTransaction } from "../transaction.ts";

/** Where a tool is switched off. */
export type SwitchScope =
  | { readonly scope: "admin" }
  | { readonly scope: "channel"; readonly channel: ChannelId }
  | { readonly scope: "thread"; readonly channel: ChannelId; readonly thread: MessageTs }
  | { readonly scope: "person"; readonly person: PersonId };

/** What can be decided for a whole tenant. `allowed` and `template` null: every registered tool. */
export interface ToolPolicy {
  readonly settings?: Settings;
  readonly flags?: readonly string[];
  readonly allowed?: readonly string[] | null;
  readonly template?: readonly string[] | null;
  readonly leastRoles?: Readonly<Record<string, Role>>;
}

/** One tenant's word on tools. Until somebody decides otherwise every registered tool is allowed and none is switched off. */
export class ToolChoiceRepository implements Choices {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #registered: readonly string[];

  /** @param registered names of all tools in the registry */
  constructor(tenant: TenantId, run: TenantTransaction, registered: readonly string[]) {
    this.#tenant = tenant;
    this.#run = run;
    this.#registered = registered;
  }

  read(channel: ChannelId, person: PersonId, thread?: MessageTs): Promise<ToolChoices> {
    return this.#run(async (manager) => {
      const tenantId = this.#tenant;
      const policy = await manager.findOneBy(toolSettingsEntity, { tenantId });
      const switches = await manager.findBy(toolSwitchEntity, [
        { tenantId, scope: "admin" },
        { tenantId, scope: "channel", channelId: channel },
        { tenantId, scope: "thread", channelId: channel, threadTs: thread ?? "" },
        { tenantId, scope: "person", personId: person },
      ]);
      const off = (scope: ToolSwitchRow["scope"]) => new Set(switches.filter((row) => row.scope === scope).map(({ tool }) => tool));
      return {
        flags: new Set(policy?.flags ?? []),
        settings: policy?.settings ?? {},
        allowed: new Set(policy?.allowed ?? this.#registered),
        template: new Set(policy?.template ?? this.#registered),
        leastRole: new Map(Object.entries(policy?.leastRoles ?? {}) as [string, Role][]),
        switchedOff: { admin: off("admin"), channel: off("channel"), thread: off("thread"), person: off("person") },
      };
    });
  }

  async switchOff(tool: string, where: SwitchScope): Promise<void> {
    const row = this.#switchRow(tool, where);
    await this.#run((manager) => manager.createQueryBuilder().insert().into(toolSwitchEntity).values(row).orIgnore().execute());
  }

  /** Takes back a `switchOff` of the same scope; other scopes may still have it off. */
  async switchOn(tool: string, where: SwitchScope): Promise<void> {
    await this.#run((manager) => manager.delete(toolSwitchEntity, this.#switchRow(tool, where)));
  }

  /** Changes what is given and leaves the rest. */
  async decide(policy: ToolPolicy): Promise<void> {
    await this.#run(async (manager) => {
      const before = await manager.findOneBy(toolSettingsEntity, { tenantId: this.#tenant });
      const standard: ToolSettingsRow = { tenantId: this.#tenant, settings: {}, flags: [], allowed: null, template: null, leastRoles: {} };
      await manager.upsert(toolSettingsEntity, { ...standard, ...before, ...(policy as Partial<ToolSettingsRow>) }, ["tenantId"]);
    });
  }

  #switchRow(tool: string, where: SwitchScope): ToolSwitchRow {
    return {
      tenantId: this.#tenant,
      scope: where.scope,
      channelId: "channel" in where ? where.channel : "",
      threadTs: "thread" in where ? where.thread : "",
      personId: "person" in where ? where.person : "",
      tool,
    };
  }
}
