import type { AdmittedTenant, Tenant, Tenants } from "../../bot/workspace/tenants.ts";
import { AppError } from "../../core/errors.ts";
import { newId, type TenantId, tenantId } from "../../core/ids.ts";
import { type TenantRow, tenantEntity } from "../entities.ts";
import { failureCode } from "../failures.ts";
import type { SystemTransaction } from "../transaction.ts";

/** PostgreSQL's code for a value that must be unique and is not. */
const UNIQUE_VIOLATION = "23505";

/** Which workspaces there are. Exactly one tenant per Slack workspace, however often or at once it is added. */
export class TenantRepository implements Tenants {
  readonly #run: SystemTransaction;
  readonly #reserved: ReadonlySet<string>;

  /** @param reserved names that a workspace which comes by itself is not given: the operator has promised their bearers something */
  constructor(run: SystemTransaction, reserved: ReadonlySet<string> = new Set()) {
    this.#run = run;
    this.#reserved = reserved;
  }

  byTeam(slackTeamId: string): Promise<Tenant | undefined> {
    return this.#find({ slackTeamId });
  }

  byId(id: TenantId): Promise<Tenant | undefined> {
    return this.#find({ id });
  }

  byName(name: string): Promise<Tenant | undefined> {
    return this.#find({ name });
  }

  /** All of them, by name. */
  list(): Promise<readonly Tenant[]> {
    return this.#run(async (manager) => (await manager.find(tenantEntity, { order: { name: "ASC" } })).map(fromRow));
  }

  /** Adds the workspace, or renames and reactivates it. Throws WORKSPACE_NAME_TAKEN when another workspace has the name. */
  async save(workspace: { slackTeamId: string; slackEnterpriseId?: string | undefined; name: string }): Promise<Tenant> {
    const { slackTeamId, slackEnterpriseId, name } = workspace;
    try {
      await this.#run((manager) =>
        manager.query(
          `INSERT INTO tenants (id, slack_team_id, slack_enterprise_id, name) VALUES ($1, $2, $3, $4)
           ON CONFLICT (slack_team_id) DO UPDATE
             SET name = excluded.name, status = 'active', suspended_at = NULL, suspended_because = NULL, organisation_id = NULL,
                 slack_enterprise_id = coalesce(excluded.slack_enterprise_id, tenants.slack_enterprise_id)`,
          [newId(), slackTeamId, slackEnterpriseId ?? null, name],
        ),
      );
    } catch (thrown) {
      if (failureCode(thrown) === UNIQUE_VIOLATION) throw new AppError("WORKSPACE_NAME_TAKEN", name);
      throw thrown;
    }
    const saved = await this.byTeam(slackTeamId);
    if (!saved) throw new AppError("INTERNAL");
    return saved;
  }

  async admit({ kind, slackTeamId, slackEnterpriseId, name, organisation }: AdmittedTenant): Promise<Tenant> {
    const insert = (unique: string) =>
      this.#run((manager) =>
        manager.query(
          `INSERT INTO tenants (id, kind, slack_team_id, slack_enterprise_id, name, organisation_id) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (slack_team_id) DO UPDATE
             SET slack_enterprise_id = coalesce(excluded.slack_enterprise_id, tenants.slack_enterprise_id),
                 organisation_id = excluded.organisation_id,
                 name = CASE tenants.name WHEN tenants.id::text THEN excluded.name ELSE tenants.name END`,
          [newId(), kind, slackTeamId, slackEnterpriseId ?? null, unique, organisation ?? null],
        ),
      );
    const distinct = `${name} (${slackTeamId})`;
    try {
      await insert(this.#reserved.has(name) ? distinct : name);
    } catch (thrown) {
      if (failureCode(thrown) !== UNIQUE_VIOLATION) throw thrown;
      await insert(distinct);
    }
    const admitted = await this.byTeam(slackTeamId);
    if (!admitted) throw new AppError("INTERNAL");
    return admitted;
  }

  async setStatus(id: TenantId, status: Tenant["status"], because?: string): Promise<void> {
    await this.#run((manager) =>
      manager.query(
        `UPDATE tenants SET status = $2, suspended_because = $3, suspended_at = CASE $2 WHEN 'active' THEN NULL ELSE coalesce(suspended_at, now()) END
         WHERE id = $1`,
        [id, status, because ?? null],
      ),
    );
  }

  #find(where: Partial<Pick<TenantRow, "id" | "slackTeamId" | "name">>): Promise<Tenant | undefined> {
    return this.#run(async (manager) => {
      const row = await manager.findOneBy(tenantEntity, where);
      return row ? fromRow(row) : undefined;
    });
  }
}

const fromRow = ({ id, kind, slackTeamId, slackEnterpriseId, name, status, organisationId, suspendedBecause }: TenantRow): Tenant => ({
  id: tenantId(id),
  kind,
  slackTeamId,
  ...(slackEnterpriseId === null ? {} : { slackEnterpriseId }),
  name,
  status,
  ...(organisationId !== null && { organisation: tenantId(organisationId) }),
  ...(suspendedBecause !== null && { suspendedBecause }),
});
