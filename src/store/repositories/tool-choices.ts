import type { Choices } from "../../agent/ports.ts";
import { type ChannelTemplate, inThread, toolsOf } from "../../agent/templates/template.ts";
import type { ChannelId, MessageTs, PersonId, TenantId } from "../../core/ids.ts";
import type { Rights } from "../../permissions/audience.ts";
import type { Role } from "../../permissions/directory.ts";
import type { ToolChoices } from "../../permissions/enabled-tools.ts";
import type { SwitchPlace } from "../../permissions/toggles.ts";
import type { Settings } from "../../plugins/contract.ts";
import { type ToolSettingsRow, type ToolSwitchRow, toolSettingsEntity } from "../entities.ts";
import { prepared } from "../prepared.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { templateNamed } from "./templates.ts";
import { switchTool } from "./tool-switches.ts";

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

  async read(channel: ChannelId, person: PersonId, thread?: MessageTs, external: readonly string[] = []): Promise<ToolChoices> {
    return (await this.readPlace(channel, person, thread, external)).choices;
  }

  /** The same with everything else that is said about the place, as of one moment. */
  readPlace(channel: ChannelId, person: PersonId, thread?: MessageTs, external: readonly string[] = []): Promise<SaidOfPlace> {
    const all = [...this.#registered, ...external];
    return this.#run(async (manager) => {
      const [row] = await manager.query<ChoiceRow[]>(everyWord, [channel, thread ?? "", person, this.#tenant]);
      const { switches, chosen, started, workspace, rights, ...policy } = row ?? nothingSaid;
      const tools = (scope: ToolSwitchRow["scope"], state: ToolSwitchRow["state"]) =>
        new Set(switches.filter((each) => each.scope === scope && each.state === state).map(({ tool }) => tool));
      const off = (scope: ToolSwitchRow["scope"]) => tools(scope, "off");
      const template = chosen === null ? undefined : await templateNamed(manager, chosen);
      const ofThread = started === null ? undefined : await templateNamed(manager, started);
      const { part, locked } = template ? toolsOf(template, all) : { part: policy.template ?? all, locked: undefined };
      // A thread's own template takes away only: what the channel keeps out stays out.
      const own = ofThread && toolsOf(ofThread, all);
      const here = [...part, ...tools("channel", "on")];
      const choices: ToolChoices = {
        flags: new Set(policy.flags ?? []),
        settings: { ...policy.settings, ...(workspace !== null && { workspace }) },
        allowed: new Set(policy.allowed ?? all),
        template: new Set(own ? here.filter((name) => own.part.has(name)) : here),
        ...((locked || own) && { lockedByTemplate: new Set([...(locked ?? []), ...(own?.locked ?? [])]) }),
        leastRole: new Map(Object.entries(policy.leastRoles ?? {}) as [string, Role][]),
        switchedOff: { admin: off("admin"), channel: off("channel"), thread: off("thread"), person: off("person") },
      };
      return { choices, template: ofThread ? inThread(template, ofThread) : template, rights: rights ?? "every_member" };
    });
  }

  async switchOff(tool: string, at: SwitchPlace): Promise<void> {
    await this.#run((manager) => switchTool(manager, this.#tenant, { tool, state: "off", at }));
  }

  /** Takes back a `switchOff` of the same scope; other scopes may still have it off. */
  async switchOn(tool: string, at: SwitchPlace): Promise<void> {
    await this.#run((manager) => switchTool(manager, this.#tenant, { tool, state: "on", at }));
  }

  /** Changes what is given and leaves the rest. */
  async decide(policy: ToolPolicy): Promise<void> {
    await this.#run(async (manager) => {
      const before = await manager.findOneBy(toolSettingsEntity, { tenantId: this.#tenant });
      const standard: ToolSettingsRow = { tenantId: this.#tenant, settings: {}, flags: [], allowed: null, template: null, leastRoles: {} };
      await manager.upsert(toolSettingsEntity, { ...standard, ...before, ...(policy as Partial<ToolSettingsRow>) }, ["tenantId"]);
    });
  }

  /** The flags that are set. */
  flags(): Promise<readonly string[]> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<{ flags: string[] }[]>("SELECT flags FROM tool_settings");
      return row?.flags ?? [];
    });
  }

  /** Releases what a flag guards, or takes it back. Gives all flags that are set afterwards. */
  flag(flag: string, set: boolean, actor: string): Promise<readonly string[]> {
    return this.#run(async (manager) => {
      await manager.query("INSERT INTO tool_settings (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING", [this.#tenant]);
      const [before] = await manager.query<{ flags: string[] }[]>("SELECT flags FROM tool_settings FOR UPDATE");
      const had = before?.flags ?? [];
      const flags = [...new Set(set ? [...had, flag] : had.filter((other) => other !== flag))].sort();
      await manager.query("UPDATE tool_settings SET flags = $1", [flags]);
      const outcome = had.includes(flag) === set ? "unchanged" : "done";
      await noteAttempts(manager, this.#tenant, [{ actor, action: set ? "flag-set" : "flag-unset", subject: flag }], outcome);
      return flags;
    });
  }
}

/** What is said about a place: about its tools, by its template, and with whose rights it is answered. */
interface SaidOfPlace {
  readonly choices: ToolChoices;
  readonly template: ChannelTemplate | undefined;
  readonly rights: Rights;
}

/** What the tenant, the channel, the thread and the person have said, in one statement: it is read before every step of an answer. */
const everyWord = prepared(`
  SELECT settings, flags, allowed, tool_settings.template, least_roles AS "leastRoles", chosen.template AS chosen,
         (SELECT template FROM thread_templates WHERE channel_id = $1 AND thread_ts = $2) AS started,
         (SELECT name FROM tenants WHERE id = $4) AS workspace,
         (SELECT rights FROM channel_audiences WHERE channel_id = $1) AS rights,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('scope', scope, 'tool', tool, 'state', state)), '[]')
          FROM tool_switches
          WHERE scope = 'admin' OR (scope = 'channel' AND channel_id = $1) OR (scope = 'person' AND person_id = $3)
             OR (scope = 'thread' AND channel_id = $1 AND thread_ts = $2)) AS switches
  FROM (SELECT) AS always LEFT JOIN tool_settings ON true LEFT JOIN channel_templates AS chosen ON chosen.channel_id = $1`);

/** Nothing but `switches` is there until somebody has decided something. */
interface ChoiceRow extends Partial<Nullable<Omit<ToolSettingsRow, "tenantId">>> {
  readonly switches: readonly Pick<ToolSwitchRow, "scope" | "tool" | "state">[];
  /** Name of the channel's template. */
  readonly chosen: string | null;
  /** Name of the template that the thread was started from. */
  readonly started: string | null;
  /** The workspace's name. */
  readonly workspace: string | null;
  readonly rights: Rights | null;
}

const nothingSaid: ChoiceRow = { switches: [], chosen: null, started: null, workspace: null, rights: null };

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
