import { OAuthClient } from "../bot/install/oauth-client.ts";
import { OrganisationWorkspaces } from "../bot/install/organisation-workspaces.ts";
import { TokenRenewal } from "../bot/install/token-renewal.ts";
import { Departures } from "../bot/workspace/departures.ts";
import { InstallationFinder } from "../bot/workspace/find-installation.ts";
import { type CachedInstallations, cachedInstallations } from "../bot/workspace/installations.ts";
import { RefusedTokens } from "../bot/workspace/refused-tokens.ts";
import type { SavedInstallation } from "../bot/workspace/saved-installation.ts";
import type { TenantSlackPool } from "../bot/workspace/tenant-slack.ts";
import type { TenantId } from "../core/ids.ts";
import type { Store } from "../store/store.ts";
import type { AppParts } from "./parts.ts";

/** Which installation holds for whom, with tokens that can be used now, and how installations end. */
export interface Tokens {
  readonly finder: InstallationFinder;
  /** The same with a short memory, for every delivery. */
  readonly installations: CachedInstallations;
  readonly organisations: OrganisationWorkspaces;
  /** Workspaces whose installation has ended. */
  readonly departures: Departures;
  /** Workspaces whose token Slack refuses. */
  readonly refused: RefusedTokens;
  /** Absent when workspaces cannot install the app from a web page. */
  readonly slack: OAuthClient | undefined;
}

/**
 * @param pool asked for late: its clients find their tokens here
 * @param left told of a workspace that has removed the app
 */
export function createTokens(
  { config, oauth, slackApiUrl: apiUrl, clock, log }: AppParts,
  store: Store,
  pool: () => Pick<TenantSlackPool, "changed" | "forget">,
  left: (tenant: TenantId) => void = () => undefined,
): Tokens {
  const { tenants } = store;
  const slack = oauth && new OAuthClient(oauth, { apiUrl, clock, log });
  const changed = (tenant: TenantId) => pool().changed(tenant);
  const renewal = new TokenRenewal({
    installationOf: (tenant) => store.forTenant(tenant).installation,
    renew: slack && ((refreshToken) => slack.renew(refreshToken)),
    suspend: (tenant, because) => departures.left(tenant, because, clock.now()),
    changed,
    clock,
    log,
  });
  const current = (tenant: TenantId) => renewal.current(tenant);
  const organisations = new OrganisationWorkspaces({ tenants, current, workspacesOf: async (token) => slack?.workspacesOf(token) ?? [] });
  const admit: OrganisationWorkspaces["admit"] = (organisation, teamId) => organisations.admit(organisation, teamId);
  const finder = new InstallationFinder({ tenants, current, admit });
  const installations = cachedInstallations(finder);
  const departures: Departures = new Departures({
    stored: store.departures,
    tenants: async () => (await tenants.list()).map(({ id }) => id),
    servedBy: (tenant) => organisations.servedBy(tenant),
    graceDays: config.purgeDays,
    forget: (tenant) => {
      installations.forget(tenant);
      pool().forget(tenant);
      left(tenant);
    },
    clock,
    log,
  });
  const another = async (than: SavedInstallation) => {
    for (const { id, status } of await tenants.list()) {
      const token = status === "active" ? (await current(id))?.token : undefined;
      if (token && token.reveal() !== than.token.reveal()) return token;
    }
    return undefined;
  };
  const refused = new RefusedTokens({ current, another, departures, changed, apiUrl, clock, log });
  return { finder, installations, organisations, departures, refused, slack };
}
