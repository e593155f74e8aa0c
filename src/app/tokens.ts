import { OAuthClient } from "../bot/install/oauth-client.ts";
import { OrganisationWorkspaces } from "../bot/install/organisation-workspaces.ts";
import { TokenRenewal } from "../bot/install/token-renewal.ts";
import { InstallationFinder } from "../bot/workspace/find-installation.ts";
import type { TenantId } from "../core/ids.ts";
import type { Store } from "../store/store.ts";
import type { AppParts } from "./parts.ts";

/** Which installation holds for whom, with tokens that can be used now. */
export interface Tokens {
  readonly finder: InstallationFinder;
  readonly organisations: OrganisationWorkspaces;
  /** Absent when workspaces cannot install the app from a web page. */
  readonly slack: OAuthClient | undefined;
}

/** @param changed a tenant has another token now, or none */
export function createTokens(
  { oauth, slackApiUrl: apiUrl, clock, log }: AppParts,
  store: Store,
  changed: (tenant: TenantId) => void,
): Tokens {
  const { tenants } = store;
  const slack = oauth && new OAuthClient(oauth, { apiUrl, clock, log });
  const renewal = new TokenRenewal({
    installationOf: (tenant) => store.forTenant(tenant).installation,
    renew: slack && ((refreshToken) => slack.renew(refreshToken)),
    suspend: async (tenant, because) => {
      await tenants.setStatus(tenant, "suspended", because);
      await store.forTenant(tenant).logins.removeAll();
      changed(tenant);
    },
    changed,
    clock,
    log,
  });
  const current = (tenant: TenantId) => renewal.current(tenant);
  const organisations = new OrganisationWorkspaces({ tenants, current, workspacesOf: async (token) => slack?.workspacesOf(token) ?? [] });
  const admit: OrganisationWorkspaces["admit"] = (organisation, teamId) => organisations.admit(organisation, teamId);
  return { finder: new InstallationFinder({ tenants, current, admit }), organisations, slack };
}
