import type { Route } from "../api/http-server.ts";
import { installRoutes } from "../api/install/install-door.ts";
import { Greeter } from "../bot/install/greeter.ts";
import { Installer } from "../bot/install/installer.ts";
import type { TenantId } from "../core/ids.ts";
import type { Ground } from "./ground.ts";

/** Installing from a web page. */
export interface Installing {
  readonly routes: readonly Route[];
  /** Resolves when nobody is being greeted any more. */
  drained(): Promise<void>;
}

export function createInstalling(ground: Ground): Installing {
  const { tokens, store, pool, library, oauth: settings, slackApiUrl: apiUrl, publicUrl, clock, log } = ground;
  const { slack, organisations } = tokens;
  if (!settings || !slack) return { routes: [], drained: async () => undefined };
  const installationOf = (tenant: TenantId) => store.forTenant(tenant).installation;
  const greeter = new Greeter({
    installationOf,
    open: async (tenant) => ({ ...(await pool.load(tenant)), library: library.forTenant(tenant) }),
    log,
  });
  const installer = new Installer({
    ...{ settings, slack, apiUrl, installationOf, clock, log },
    tenants: store.tenants,
    workspacesOf: (organisation) => organisations.admitAll(organisation),
    greet: (tenants, person) => greeter.greet(tenants, person),
    changed: (tenants) => {
      for (const tenant of tenants) pool.changed(tenant);
    },
  });
  return { routes: installRoutes({ states: store.installStates, installer, publicUrl, clock, log }), drained: () => greeter.drained() };
}
