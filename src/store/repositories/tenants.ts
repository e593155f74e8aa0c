import { AppError } from "../../core/errors.ts";
import { newId, type TenantId, tenantId } from "../../core/ids.ts";
import { type TenantRow, tenantEntity } from "../entities.ts";
import { failureCode } from "../failures.ts";
import type { SystemTransaction } from "../transaction.ts";

/** One workspace as the program knows it. */
export interface Tenant {
  readonly id: TenantId;
  /** Slack's id of the workspace (T...). */
  readonly slackTeamId: string;
  /** Slack's id of the organisation it belongs to (E...), if any. */
  readonly slackEnterpriseId?: string;
  /** What the command line calls it; unique. */
  readonly name: string;
  /** A suspended tenant's questions are not answered. */
  readonly status: "active" | "suspended";
}

/** PostgreSQL's code for a value that must be unique and is not. */
const UNIQUE_VIOLATION = "23505";

/** Which workspaces there are. Exactly one tenant per Slack workspace, however often or at once it is added. */
export class TenantRepository {
  readonly #run: SystemTransaction;

  constructor(run: SystemTransaction) {
    this.#run = run;
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
             SET name = excluded.name, status = 'active', slack_enterprise_id = coalesce(excluded.slack_enterprise_id, tenants.slack_enterprise_id)`,
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

  async setStatus(id: TenantId, status: Tenant["status"]): Promise<void> {
    await this.#run((manager) => manager.update(tenantEntity, { id }, { status }));
  }

  #find(where: Partial<Pick<TenantRow, "id" | "slackTeamId" | "name">>): Promise<Tenant | undefined> {
    return this.#run(async (manager) => {
      const row = await manager.findOneBy(tenantEntity, where);
      return row ? fromRow(row) : undefined;
    });
  }
}

const fromRow = ({ id, slackTeamId, slackEnterpriseId, name, status }: TenantRow): Tenant => ({
  id: tenantId(id),
  slackTeamId,
  ...(slackEnterpriseId === null ? {} : { slackEnterpriseId }),
  name,
  status,
});
