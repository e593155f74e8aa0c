import { personId, type TenantId } from "../../core/ids.ts";
import type { Installation, Installations } from "./installations.ts";
import type { SavedInstallation } from "./saved-installation.ts";
import type { Tenant, Tenants } from "./tenants.ts";

export interface InstallationFinderParts {
  readonly tenants: Pick<Tenants, "byTeam" | "byId">;
  /** A tenant's own installation, with a token that can be used now. */
  readonly current: (tenant: TenantId) => Promise<SavedInstallation | undefined>;
  /** The tenant of a workspace for which an organisation has approved the app; undefined when it has not. */
  readonly admit: (organisation: Tenant, teamId: string) => Promise<Tenant | undefined>;
}

/** Finds the installation that holds for a workspace: its own, or else its organisation's. A suspended workspace has none. */
export class InstallationFinder implements Installations {
  readonly #parts: InstallationFinderParts;

  constructor(parts: InstallationFinderParts) {
    this.#parts = parts;
  }

  async byTeam(teamId: string, organisation?: string): Promise<Installation | undefined> {
    const { tenants, admit } = this.#parts;
    const known = await tenants.byTeam(teamId);
    if (known && known.status !== "active") return undefined;
    if (known?.kind === "organisation") return this.#ofOrganisation(known);
    // What comes through an organisation's installation is for its own workspaces, not for another tenant whose people take part in it.
    if (known && organisation !== undefined && known.slackEnterpriseId !== organisation) return undefined;
    const found = known && (await this.#of(known));
    if (found || organisation === undefined) return found;
    const over = await tenants.byTeam(organisation);
    if (over?.kind !== "organisation" || over.status !== "active") return undefined;
    const admitted = await admit(over, teamId);
    return admitted?.status === "active" ? this.#of(admitted) : undefined;
  }

  async byTenant(id: TenantId): Promise<Installation | undefined> {
    const tenant = await this.#parts.tenants.byId(id);
    return tenant?.status === "active" ? this.#of(tenant) : undefined;
  }

  async #of(tenant: Tenant): Promise<Installation | undefined> {
    // Nobody asks in an organisation: its people and places are those of its workspaces.
    if (tenant.kind === "organisation") return undefined;
    const own = await this.#parts.current(tenant.id);
    if (own) return toInstallation(tenant, own);
    const over = tenant.organisation && (await this.#parts.tenants.byId(tenant.organisation));
    const shared = over && over.status === "active" ? await this.#ofOrganisation(over) : undefined;
    return shared && { ...shared, tenant: tenant.id, teamId: tenant.slackTeamId };
  }

  /** For what Slack says of the organisation as a whole. */
  async #ofOrganisation(over: Tenant): Promise<Installation | undefined> {
    const saved = await this.#parts.current(over.id);
    return saved && { ...toInstallation(over, saved), organisation: over.id };
  }
}

const toInstallation = ({ id, slackTeamId }: Tenant, { appId, botUserId, token }: SavedInstallation): Installation => ({
  tenant: id,
  teamId: slackTeamId,
  botUserId: personId(botUserId),
  token,
  ...(appId !== "" && { appId }),
});
