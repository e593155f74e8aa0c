import type { Settings } from "../plugins/contract.ts";
import type { Role } from "./directory.ts";

/** What a tenant, its policy, a person's role, a channel's template and the toggles say about tools, at one moment. */
export interface ToolChoices {
  /** Feature flags the operator has set for the tenant. */
  readonly flags: ReadonlySet<string>;
  /** The tenant's plugin settings. */
  readonly settings: Settings;
  /** Tools the tenant's admins allow at all. */
  readonly allowed: ReadonlySet<string>;
  /** Least role per tool; a tool not named here needs "guest" (outsiders never). */
  readonly leastRole: ReadonlyMap<string, Role>;
  /** Tools that are part of the channel's template. */
  readonly template: ReadonlySet<string>;
  /** Tools switched off, by scope. */
  readonly switchedOff: {
    readonly admin: ReadonlySet<string>;
    readonly channel: ReadonlySet<string>;
    readonly thread: ReadonlySet<string>;
    readonly person: ReadonlySet<string>;
  };
}
