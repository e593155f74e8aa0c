import type { EntityManager } from "typeorm";
import { newId, type TenantId, tenantId } from "../../core/ids.ts";
import type { SourceLease, SourceSchedule } from "../../knowledge/sources/source-store.ts";
import type { SystemTransaction } from "../transaction.ts";

const free = "(lease_until IS NULL OR lease_until <= clock_timestamp())";

/** When sources run, in Postgres: ids and times only. */
export class SourceScheduleRepository implements SourceSchedule {
  readonly #system: SystemTransaction;

  constructor(system: SystemTransaction) {
    this.#system = system;
  }

  claimDue(leaseMs: number): Promise<SourceLease | undefined> {
    return this.#system((manager) =>
      take(
        manager,
        `(SELECT source_id FROM source_schedule s JOIN tenants t ON t.id = s.tenant_id
          WHERE due_at <= clock_timestamp() AND ${free} AND t.status = 'active'
            AND NOT EXISTS (SELECT FROM source_schedule o WHERE o.tenant_id = s.tenant_id AND o.lease_until > clock_timestamp())
          ORDER BY due_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED)`,
        leaseMs,
        [],
      ),
    );
  }

  claim(tenant: TenantId, source: string, leaseMs: number): Promise<SourceLease | undefined> {
    return this.#system((manager) =>
      take(
        manager,
        `(SELECT source_id FROM source_schedule WHERE tenant_id = $3 AND source_id = $4 AND ${free} FOR UPDATE SKIP LOCKED)`,
        leaseMs,
        [tenant, source],
      ),
    );
  }

  async hasten(tenant: TenantId, source: string): Promise<void> {
    await this.#system((manager) =>
      manager.query("UPDATE source_schedule SET due_at = clock_timestamp(), hastened = true WHERE tenant_id = $1 AND source_id = $2", [
        tenant,
        source,
      ]),
    );
  }

  renew({ source, token }: SourceLease, leaseMs: number): Promise<boolean> {
    return this.#system(async (manager) => {
      const [rows] = await manager.query<[unknown[]]>(
        `UPDATE source_schedule SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE source_id = $1 AND lease_token = $2 RETURNING source_id`,
        [source, token, leaseMs],
      );
      return rows.length === 1;
    });
  }

  async release({ source, token }: SourceLease, ran: boolean): Promise<void> {
    await this.#system((manager) =>
      manager.query(
        `UPDATE source_schedule SET lease_until = NULL, lease_token = NULL,
           due_at = CASE WHEN hastened THEN clock_timestamp() WHEN $3 THEN clock_timestamp() + every_minutes * interval '1 minute' ELSE due_at END
         WHERE source_id = $1 AND lease_token = $2`,
        [source, token, ran],
      ),
    );
  }
}

async function take(manager: EntityManager, which: string, leaseMs: number, rest: readonly unknown[]): Promise<SourceLease | undefined> {
  const token = newId();
  const [[row]] = await manager.query<[{ source_id: string; tenant_id: string }[]]>(
    `UPDATE source_schedule SET hastened = false, lease_token = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE source_id = ${which} RETURNING source_id, tenant_id`,
    [token, leaseMs, ...rest],
  );
  return row && { tenant: tenantId(row.tenant_id), source: row.source_id, token };
}
