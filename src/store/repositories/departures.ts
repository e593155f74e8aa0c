import type { EntityManager } from "typeorm";
import type { DepartedTenants } from "../../bot/workspace/departures.ts";
import { type TenantId, tenantId } from "../../core/ids.ts";
import type { SystemTransaction, TenantTransaction } from "../transaction.ts";

/** Workspaces that have left, in Postgres. */
export class DepartureRepository implements DepartedTenants {
  readonly #system: SystemTransaction;
  readonly #forTenant: (tenant: TenantId) => TenantTransaction;

  constructor(system: SystemTransaction, forTenant: (tenant: TenantId) => TenantTransaction) {
    this.#system = system;
    this.#forTenant = forTenant;
  }

  suspend(tenant: TenantId, because: string, before?: Date): ReturnType<DepartedTenants["suspend"]> {
    return this.#forTenant(tenant)(async (manager) => {
      const [rows] = await manager.query<[object[], number]>(
        `UPDATE tenants SET status = 'suspended', suspended_at = now(), suspended_because = $2
         WHERE id = $1 AND suspended_at IS NULL
           AND NOT EXISTS (SELECT FROM installations WHERE tenant_id = $1 AND installed_at > $3::timestamptz) RETURNING id`,
        [tenant, because, before ?? "infinity"],
      );
      if (rows.length === 0) {
        const [newer] = await manager.query<object[]>("SELECT FROM installations WHERE tenant_id = $1 AND installed_at > $2::timestamptz", [
          tenant,
          before ?? "infinity",
        ]);
        return newer ? "newer" : "already";
      }
      await manager.query("DELETE FROM installations WHERE tenant_id = $1", [tenant]);
      // Nobody asks in people's names any more.
      await manager.query("DELETE FROM login_attempts WHERE tenant_id = $1", [tenant]);
      await manager.query("DELETE FROM server_logins WHERE tenant_id = $1", [tenant]);
      await manager.query("DELETE FROM search_leaves WHERE tenant_id = $1", [tenant]);
      await manager.query("UPDATE workspace_servers SET sealed_secret = NULL, revision = gen_random_uuid() WHERE tenant_id = $1", [tenant]);
      // Whoever works on one of them finds its place gone.
      await manager.query("DELETE FROM turn_queue WHERE tenant_id = $1", [tenant]);
      await manager.query(
        "UPDATE turns SET status = 'cancelled', finished_at = now() WHERE tenant_id = $1 AND status IN ('queued', 'running')",
        [tenant],
      );
      return "suspended";
    });
  }

  due(graceDays: number): Promise<readonly TenantId[]> {
    return this.#system(async (manager) => {
      const rows = await manager.query<{ id: string }[]>(
        "SELECT id FROM tenants WHERE status = 'suspended' AND suspended_at <= now() - $1 * interval '1 day' ORDER BY suspended_at",
        [graceDays],
      );
      return rows.map(({ id }) => tenantId(id));
    });
  }

  purge(tenant: TenantId): Promise<boolean> {
    return this.#forTenant(tenant)(async (manager) => {
      // Its id and Slack's stay, so that it is the same workspace when it comes back; its name goes.
      const [rows] = await manager.query<[object[], number]>(
        `UPDATE tenants SET name = id::text, suspended_at = NULL, suspended_because = 'It has left, and its data was deleted.'
         WHERE id = $1 AND status = 'suspended' RETURNING id`,
        [tenant],
      );
      if (rows.length === 0) return false;
      for (const table of await ownTables(manager)) await manager.query(`DELETE FROM "${table}" WHERE tenant_id = $1`, [tenant]);
      return true;
    });
  }

  async forgetEarly(tenant: TenantId): Promise<void> {
    await this.#forTenant(tenant)((manager) =>
      manager.query("DELETE FROM early_messages WHERE tenant_id = $1 AND received_at < now() - interval '1 hour'", [tenant]),
    );
  }
}

/**
 * Every table that holds a tenant's rows, those that refer to others first. The audit log is not among them: it holds ids and names of
 * tools, never what anybody wrote, and the program cannot delete from it.
 */
async function ownTables(manager: EntityManager): Promise<readonly string[]> {
  const tables = await manager.query<{ name: string; refers_to: string[] }[]>(
    `SELECT relname AS name, array(
       SELECT DISTINCT target.relname::text FROM pg_constraint JOIN pg_class AS target ON target.oid = confrelid
       WHERE contype = 'f' AND conrelid = c.oid AND confrelid <> c.oid) AS refers_to
     FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid AND attname = 'tenant_id' AND NOT attisdropped
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'DELETE') ORDER BY relname`,
  );
  const left = new Map(tables.map(({ name, refers_to }) => [name, refers_to]));
  const order: string[] = [];
  while (left.size > 0) {
    const referredTo = new Set([...left.values()].flat());
    const free = [...left.keys()].filter((name) => !referredTo.has(name));
    // Tables that refer to each other in a circle are deleted from in any order: their constraints must allow it.
    for (const name of free.length > 0 ? free : [...left.keys()]) {
      order.push(name);
      left.delete(name);
    }
  }
  return order;
}
