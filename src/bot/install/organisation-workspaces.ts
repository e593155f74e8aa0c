import type { TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import { Remembered } from "../workspace/remembered.ts";
import type { SavedInstallation } from "../workspace/saved-installation.ts";
import type { Tenant, Tenants } from "../workspace/tenants.ts";
import type { SlackTeam } from "./oauth-client.ts";

export interface OrganisationWorkspacesParts {
  readonly tenants: Tenants;
  readonly current: (tenant: TenantId) => Promise<SavedInstallation | undefined>;
  /** The workspaces for which an organisation has approved the app. */
  readonly workspacesOf: (token: Secret) => Promise<readonly SlackTeam[]>;
}

/** Slack is asked no more often than this; a workspace that was just approved is served after at most as long. */
const freshMs = 30_000;

/**
 * The workspaces of an organisation that has installed the app for all of them. Each is a tenant of its own, with its own documents, made
 * when it is first heard of; Slack's list of approved workspaces decides, since a delivery may name others (shared channels).
 */
export class OrganisationWorkspaces {
  readonly #parts: OrganisationWorkspacesParts;
  readonly #approved = new Remembered<readonly SlackTeam[]>({ max: 1_000, freshMs });

  constructor(parts: OrganisationWorkspacesParts) {
    this.#parts = parts;
  }

  /** The tenant of one workspace; undefined when the organisation has not approved the app for it. */
  async admit(organisation: Tenant, teamId: string): Promise<Tenant | undefined> {
    const team = (await this.#list(organisation)).find(({ id }) => id === teamId);
    return team && this.#admit(organisation, team);
  }

  /** All approved workspaces, after an installation: those that had come with this organisation before are served again. */
  async admitAll(organisation: Tenant): Promise<readonly Tenant[]> {
    const admitted: Tenant[] = [];
    for (const team of await this.#list(organisation)) {
      const before = await this.#parts.tenants.byTeam(team.id);
      // One that was installed by itself and is suspended keeps its data to itself: another unit of the organisation does not revive it.
      if (before?.status === "suspended" && before.organisation !== organisation.id) continue;
      if (before?.status === "suspended") await this.#parts.tenants.setStatus(before.id, "active");
      admitted.push(await this.#admit(organisation, team));
    }
    return admitted;
  }

  /** The workspaces that have no installation but this organisation's. */
  async servedBy(organisation: TenantId): Promise<readonly TenantId[]> {
    const { tenants, current } = this.#parts;
    const served = (await tenants.list()).filter((tenant) => tenant.organisation === organisation);
    const own = await Promise.all(served.map(async ({ id }) => (await current(id)) !== undefined));
    return served.filter((_, index) => !own[index]).map(({ id }) => id);
  }

  async #list(organisation: Tenant): Promise<readonly SlackTeam[]> {
    const installation = await this.#parts.current(organisation.id);
    if (!installation) return [];
    const { token } = installation;
    return this.#approved.get(`${organisation.id} ${token.reveal()}`, () => this.#parts.workspacesOf(token));
  }

  #admit({ id, slackTeamId }: Tenant, team: SlackTeam): Promise<Tenant> {
    const name = team.name || team.id;
    return this.#parts.tenants.admit({ kind: "workspace", slackTeamId: team.id, slackEnterpriseId: slackTeamId, name, organisation: id });
  }
}
