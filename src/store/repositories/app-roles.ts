import type { Once } from "../../bot/commands/command-store.ts";
import type { RoleGrant, RoleOf, TenantRoles } from "../../bot/surfaces/roles/role-store.ts";
import { channelId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { AppRole, GrantedRole } from "../../permissions/directory.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

/** One tenant's app roles in Postgres. */
export class AppRoleRepository implements TenantRoles {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  of(person: PersonId, now: Date): Promise<readonly GrantedRole[]> {
    return this.#run(async (manager) => {
      const rows = await manager.query<RoleRow[]>("SELECT * FROM app_roles WHERE person_id = $1 AND until > $2", [person, now]);
      return rows.map(grantOf).map(({ role, channel, until }) => ({ role, until, ...(channel && { channel }) }));
    });
  }

  list(now: Date, { limit, offset }: Parameters<TenantRoles["list"]>[1], person?: PersonId): ReturnType<TenantRoles["list"]> {
    return this.#run(async (manager) => {
      const rows = await manager.query<(RoleRow & { total: string })[]>(
        `SELECT *, (SELECT count(*) FROM app_roles WHERE until > $1 AND ($2::text IS NULL OR person_id = $2)) AS total
         FROM app_roles WHERE until > $1 AND ($2::text IS NULL OR person_id = $2)
         ORDER BY until, person_id, role, channel_id LIMIT $3 OFFSET $4`,
        [now, person ?? null, limit, offset],
      );
      return { grants: rows.map(grantOf), total: Number(rows[0]?.total ?? 0) };
    });
  }

  grant({ key, attempts }: Once, { person, role, channel, until, grantedBy }: RoleGrant, now: Date): Promise<"changed" | "seen"> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen";
      await manager.query("DELETE FROM app_roles WHERE person_id = $1 AND until <= $2", [person, now]);
      await manager.query(
        `INSERT INTO app_roles (tenant_id, person_id, role, channel_id, granted_by, granted_at, until) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (tenant_id, person_id, role, channel_id)
         DO UPDATE SET granted_by = excluded.granted_by, granted_at = excluded.granted_at, until = excluded.until`,
        [this.#tenant, person, role, channel ?? "", grantedBy, now, until],
      );
      await noteAttempts(manager, this.#tenant, attempts, "done");
      return "changed";
    });
  }

  revoke({ key, attempts }: Once, { person, role, channel }: RoleOf, now: Date): Promise<"changed" | "unchanged" | "seen"> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen";
      const [gone] = await manager.query<[readonly { counted: boolean }[], number]>(
        "DELETE FROM app_roles WHERE person_id = $1 AND role = $2 AND channel_id = $3 RETURNING until > $4 AS counted",
        [person, role, channel ?? "", now],
      );
      const changed = gone.some(({ counted }) => counted);
      const outcome = changed ? ("done" as const) : ("unchanged" as const);
      await noteAttempts(manager, this.#tenant, attempts, outcome);
      return changed ? "changed" : "unchanged";
    });
  }
}

interface RoleRow {
  readonly person_id: string;
  readonly role: AppRole;
  readonly channel_id: string;
  readonly granted_by: string;
  readonly until: Date;
}

const grantOf = (row: RoleRow): RoleGrant => ({
  person: personId(row.person_id),
  role: row.role,
  until: row.until,
  grantedBy: personId(row.granted_by),
  ...(row.channel_id !== "" && { channel: channelId(row.channel_id) }),
});
