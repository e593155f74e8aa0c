import type { EntityManager } from "typeorm";
import { toolsOf } from "../../agent/templates/template.ts";
import type { TenantId } from "../../core/ids.ts";
import type { SwitchPlace } from "../../permissions/toggles.ts";
import { templateIn } from "./templates.ts";

export interface Switching {
  readonly tool: string;
  readonly state: "on" | "off";
  readonly at: SwitchPlace;
}

/** Switches one tool in one scope. False when it stood so already. */
export async function switchTool(manager: EntityManager, tenant: TenantId, switching: Switching): Promise<boolean> {
  const { tool, state, at } = switching;
  if (state === "off") return put(manager, tenant, switching);
  const template = at.scope === "channel" ? await templateIn(manager, at.channel) : undefined;
  const left = template && toolsOf(template, [tool]);
  if (left && !left.part.has(tool) && !left.locked.has(tool)) return put(manager, tenant, switching);
  const [gone] = await manager.query<[object[], number]>(
    `DELETE FROM tool_switches WHERE scope = $1 AND channel_id = $2 AND thread_ts = $3 AND person_id = $4 AND tool = $5 RETURNING tool`,
    keyOf(tool, at),
  );
  return gone.length > 0;
}

async function put(manager: EntityManager, tenant: TenantId, { tool, state, at }: Switching): Promise<boolean> {
  const rows = await manager.query<object[]>(
    `INSERT INTO tool_switches (tenant_id, scope, channel_id, thread_ts, person_id, tool, state) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (tenant_id, scope, channel_id, thread_ts, person_id, tool) DO UPDATE SET state = excluded.state, switched_off_at = now()
       WHERE tool_switches.state <> excluded.state
     RETURNING tool`,
    [tenant, ...keyOf(tool, at), state],
  );
  return rows.length > 0;
}

/** What a scope does not need is "". */
const keyOf = (tool: string, at: SwitchPlace): readonly string[] => [
  at.scope,
  "channel" in at ? at.channel : "",
  "thread" in at ? at.thread : "",
  "person" in at ? at.person : "",
  tool,
];
