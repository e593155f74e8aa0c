import { randomInt } from "node:crypto";
import { expect } from "@jest/globals";
import type { EntityManager } from "typeorm";
import { newId, type TenantId } from "../../src/core/ids.ts";
import type { TestDatabase } from "../fakes/test-database.ts";

/** Of both kinds of database: so few connections that every transaction finds another tenant's traces, if there are any. */
export const scarce = { poolSize: 2, statementTimeoutMs: 3_000 };
const AT_ONCE = 16;

export const write = (manager: EntityManager, tenant: TenantId) =>
  manager.query("INSERT INTO tool_switches (tenant_id, scope, tool) VALUES ($1, 'admin', $2)", [tenant, `canary-${tenant}-${newId()}`]);

/** Whose rows are seen. */
export const read = async (manager: EntityManager): Promise<string[]> =>
  ((await manager.query("SELECT tenant_id FROM tool_switches LIMIT 50")) as { tenant_id: string }[]).map((row) => row.tenant_id);

/** Things that can happen to a transaction; each ends in success or in its own error. */
function misfortunes({ database, asOwner }: TestDatabase): ((manager: EntityManager) => Promise<unknown>)[] {
  const everywhere = {
    none: async () => undefined,
    "a throw": async () => Promise.reject(new Error("on purpose")),
    "a failing statement": (manager: EntityManager) => manager.query("SELECT 1 / 0"),
    "a savepoint rolled back": (manager: EntityManager) =>
      manager.transaction(async (inner) => inner.query("SELECT 1 / 0")).catch(() => undefined),
  };
  const onServer = {
    "a statement over its time limit": async (manager: EntityManager) =>
      randomInt(50) === 0 ? manager.query("SELECT pg_sleep(60)") : undefined,
    "a lost connection": async (manager: EntityManager) => {
      const [row] = await manager.query("SELECT pg_backend_pid() AS pid");
      if (randomInt(50) === 0) await asOwner(`SELECT pg_terminate_backend(${row.pid})`);
      return manager.query("SELECT 1");
    },
  };
  return Object.values({ ...everywhere, ...(database.kind === "server" && onServer) });
}

/** Runs so many transactions of two tenants and of none over the same connections, and expects that nobody sees another's rows. */
export async function expectNoForeignRows(db: TestDatabase, tenants: readonly [TenantId, TenantId], operations: number): Promise<void> {
  const kinds = misfortunes(db);
  let foreign = 0;
  let reads = 0;
  let started = 0;
  const operate = async (): Promise<void> => {
    const tenant = [...tenants, undefined][randomInt(3)];
    const misfortune = kinds[randomInt(kinds.length)];
    const run = tenant ? db.database.forTenant(tenant) : db.database.system;
    await run(async (manager) => {
      const seen = await read(manager);
      reads += tenant ? seen.length : 0;
      foreign += seen.filter((owner) => owner !== tenant).length;
      if (tenant && randomInt(50) === 0) await write(manager, tenant);
      await misfortune?.(manager);
    }).catch((error: unknown) => {
      if ((error as { code?: string }).code === "NO_TENANT_CONTEXT") throw error;
    });
  };
  const worker = async () => {
    while (started++ < operations) await operate();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(foreign).toBe(0);
  expect(reads).toBeGreaterThan(operations / 2);
}
