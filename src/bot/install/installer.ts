import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { StoredInstallation } from "../workspace/saved-installation.ts";
import { type MissingScope, missingScopes, requiredScopes } from "../workspace/scopes.ts";
import type { Tenant, Tenants } from "../workspace/tenants.ts";
import type { Grant, OAuthClient, OAuthSettings } from "./oauth-client.ts";

export interface InstallerParts {
  readonly settings: OAuthSettings;
  readonly slack: Pick<OAuthClient, "exchange" | "ownerOf" | "revoke">;
  /** Ends in /api/; Slack itself when absent. */
  readonly apiUrl?: string | undefined;
  readonly tenants: Tenants;
  readonly installationOf: (tenant: TenantId) => StoredInstallation;
  /** The workspaces that an organisation's installation serves. Makes tenants of them. */
  readonly workspacesOf: (organisation: Tenant) => Promise<readonly Tenant[]>;
  /** Greets whoever installed it, after the page is on its way. Never rejects. */
  readonly greet: (tenants: readonly Tenant[], person: string) => void;
  /** These have another token now. */
  readonly changed: (tenants: readonly TenantId[]) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What an installation came to. Names are Slack's, so anybody's text. */
export interface Installed {
  readonly name: string;
  readonly kind: Tenant["kind"];
  /** Whether it was installed before. */
  readonly again: boolean;
  readonly missing: readonly MissingScope[];
  /** Names of the workspaces in which it can be used now. */
  readonly workspaces: readonly string[];
  /** Where to go on in Slack. */
  readonly next: string;
}

/** Installs the app for a workspace or an organisation that agreed to it on Slack's page. */
export class Installer {
  readonly #parts: InstallerParts;

  constructor(parts: InstallerParts) {
    this.#parts = parts;
  }

  /** Slack's page on which somebody agrees: exactly the manifest's scopes, and back to exactly one address. */
  consentPage(state: string, redirectUri: string): string {
    const { settings, apiUrl = "https://slack.com/api/" } = this.#parts;
    const page = new URL("../oauth/v2/authorize", apiUrl);
    page.search = new URLSearchParams({
      client_id: settings.clientId,
      scope: requiredScopes.join(","),
      redirect_uri: redirectUri,
      state,
    }).toString();
    return page.href;
  }

  /**
   * Exchanges the code and keeps what it gives. A workspace that is known keeps its id, its name and its data, and is served again.
   * @throws AppError INSTALL_CODE_REFUSED, INSTALL_APP_DIFFERS, INSTALL_NOT_ALLOWED, SLACK_UNREACHABLE
   */
  async install(code: string, redirectUri: string): Promise<Installed> {
    const { slack, tenants, installationOf, workspacesOf, changed, greet, clock, log } = this.#parts;
    const grant = await slack.exchange(code, redirectUri);
    const owner = await this.#checked(grant);
    const place = placeOf(grant);
    const known = await tenants.byTeam(place.slackTeamId);
    const tenant = await tenants.admit(place);
    const { token, rotation, appId, botUserId, scopes, person: installedBy } = grant;
    // Before it is served (again): a token must be there by then.
    const saved = { token, rotation, appId, botUserId, botId: owner.botId, scopes, installedBy, installedAt: clock.now() };
    await installationOf(tenant.id).save(saved);
    // Whatever it was: a removal that is delivered late may have suspended it a moment ago.
    await tenants.setStatus(tenant.id, "active");
    const served = tenant.kind === "organisation" ? await workspacesOf(tenant) : [tenant];
    changed([tenant, ...served].map(({ id }) => id));
    log.info(known ? "The app was installed again." : "The app was installed.", { tenant: tenant.id, count: scopes.length });
    greet(served, installedBy);
    return {
      name: place.name,
      kind: tenant.kind,
      again: known !== undefined,
      missing: missingScopes(scopes),
      workspaces: served.map(({ name }) => name),
      next: nextPage(grant, place.slackTeamId),
    };
  }

  /** Whose token it really is. A token that is not kept is given back, unless it is the one by which the workspace is served. */
  async #checked(grant: Grant): Promise<{ readonly botId: string }> {
    const { settings, slack } = this.#parts;
    // Another app's token is not ours to give back.
    if (grant.appId !== settings.appId) throw new AppError("INSTALL_APP_DIFFERS");
    const ids = [grant.team?.id, grant.enterprise?.id];
    if (settings.allowed && !ids.some((id) => id !== undefined && settings.allowed?.includes(id))) {
      if (!(await this.#serves(grant))) await slack.revoke(grant.token);
      throw new AppError("INSTALL_NOT_ALLOWED");
    }
    const owner = await slack.ownerOf(grant.token);
    const same = grant.forOrganisation ? owner.enterpriseId === grant.enterprise?.id : owner.teamId === grant.team?.id;
    if (!same || owner.botUserId !== grant.botUserId)
      throw new AppError("INSTALL_CODE_REFUSED", "Its answer and its token are about two different workspaces.");
    return owner;
  }

  /** Whether the workspace has an installation already: Slack gives an app one bot token for each, so revoking this one would end that. */
  async #serves(grant: Grant): Promise<boolean> {
    const { tenants, installationOf } = this.#parts;
    const known = await tenants.byTeam(placeOf(grant).slackTeamId);
    return known !== undefined && (await installationOf(known.id).find()) !== undefined;
  }
}

/** Longest name that is kept; Slack's own are shorter. */
const longestName = 80;

/** Without what a terminal or a page would take for something else than text. */
const plain = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, longestName);

function placeOf({ team, enterprise, forOrganisation }: Grant) {
  const slack = forOrganisation ? enterprise : team;
  if (!slack) throw new AppError("INSTALL_CODE_REFUSED");
  return {
    kind: forOrganisation ? ("organisation" as const) : ("workspace" as const),
    slackTeamId: slack.id,
    slackEnterpriseId: enterprise?.id,
    name: plain(slack.name) || slack.id,
  };
}

/** An organisation's administrator still has to add the app to workspaces. Both ids have Slack's form, so nothing needs escaping. */
const nextPage = ({ appId, forOrganisation }: Grant, slackId: string): string =>
  forOrganisation
    ? `https://app.slack.com/manage/${slackId}/integrations/profile/${appId}/workspaces/add`
    : `https://slack.com/app_redirect?app=${appId}&team=${slackId}`;
