import type { Installations } from "../bot/installations.ts";
import type { TenantId } from "../core/ids.ts";
import type { Database } from "./database.ts";
import { InstallationRepository, installationsByTeam } from "./repositories/installations.ts";
import { TenantRepository } from "./repositories/tenants.ts";
import { ToolChoiceRepository } from "./repositories/tool-choices.ts";
import type { Sealing } from "./sealing.ts";

/** What one tenant has stored. No method takes a tenant's id. */
export interface TenantStore {
  readonly installation: InstallationRepository;
  readonly choices: ToolChoiceRepository;
}

/** The stored state of the program. `forTenant` is the only way to a tenant's. */
export interface Store {
  readonly tenants: TenantRepository;
  readonly installations: Installations;
  forTenant(id: TenantId): TenantStore;
}

/** @param tools names of all registered tools */
export function createStore(database: Database, sealing: Sealing, tools: readonly string[]): Store {
  const tenants = new TenantRepository(database.system);
  const installation = (id: TenantId) => new InstallationRepository(id, database.forTenant(id), sealing);
  return {
    tenants,
    installations: installationsByTeam(tenants, installation),
    forTenant: (id) => ({
      installation: installation(id),
      choices: new ToolChoiceRepository(id, database.forTenant(id), tools),
    }),
  };
}
