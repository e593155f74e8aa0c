import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { EntityManager } from "typeorm";
import { newId, type TenantId } from "../../src/core/ids.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

describe.each(testDatabases)("a transaction on the %s database", (kind) => {
  let db: TestDatabase;
  let tenant: TenantId;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
    tenant = await db.addTenant();
  });
  afterAll(() => db.close());

  const add = (manager: EntityManager, tool: string) =>
    manager.query("INSERT INTO tool_switches (tenant_id, scope, tool) VALUES ($1, 'admin', $2)", [tenant, tool]);
  const has = async (tool: string) =>
    (await db.database.forTenant(tenant)((manager) => manager.query("SELECT 1 FROM tool_switches WHERE tool = $1", [tool]))).length === 1;
  /** As Postgres reports a conflict: raised by the database itself. */
  const raise = (manager: EntityManager, code: string) =>
    manager.query(`DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${code}'; END $$`);

  test("keeps nothing of work that throws", async () => {
    const work = db.database.forTenant(tenant)(async (manager) => {
      await add(manager, "half-done");
      throw new Error("on purpose");
    });
    await expect(work).rejects.toThrow("on purpose");
    expect(await has("half-done")).toBe(false);
  });

  test.each(["40001", "40P01"])("is tried again after a conflict (%s), with its tenant, and leaves one result", async (code) => {
    let tries = 0;
    const tool = `retried-${newId()}`;
    await db.database.forTenant(tenant)(async (manager) => {
      await add(manager, tool);
      if (++tries < 3) await raise(manager, code);
    });
    expect(tries).toBe(3);
    expect(await has(tool)).toBe(true);
  });

  test("is given up after three further tries", async () => {
    let tries = 0;
    const work = db.database.forTenant(tenant)((manager) => {
      tries++;
      return raise(manager, "40001");
    });
    await expect(work).rejects.toMatchObject({ driverError: { code: "40001" } });
    expect(tries).toBe(4);
  });

  test("is not tried again for any other failure", async () => {
    let tries = 0;
    const work = db.database.forTenant(tenant)((manager) => {
      tries++;
      return raise(manager, "23505");
    });
    await expect(work).rejects.toMatchObject({ driverError: { code: "23505" } });
    expect(tries).toBe(1);
  });

  test("does not pass for done when a failed statement was ignored", async () => {
    const work = db.database.forTenant(tenant)(async (manager) => {
      await add(manager, "lost");
      await manager.query("SELECT 1 / 0").catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await has("lost")).toBe(false);
  });

  test("can undo a part of itself and go on", async () => {
    await db.database.forTenant(tenant)(async (manager) => {
      await add(manager, "kept");
      await manager.transaction((inner) => inner.query("SELECT 1 / 0")).catch(() => undefined);
    });
    expect(await has("kept")).toBe(true);
  });

  test("waits for its turn when all connections are busy", async () => {
    const many = Array.from({ length: 60 }, (_, i) => db.database.forTenant(tenant)((manager) => add(manager, `busy-${i}`)));
    await Promise.all(many);
    expect(await has("busy-59")).toBe(true);
  });

  if (kind === "server") {
    test("survives that the server drops every connection, without a restart of the program", async () => {
      await Promise.all(Array.from({ length: 10 }, () => db.database.system((manager) => manager.query("SELECT pg_sleep(0.01)"))));
      let tries = 0;
      const tool = `reconnected-${newId()}`;
      await db.database.forTenant(tenant)(async (manager) => {
        await add(manager, tool);
        if (++tries === 1)
          await db.asOwner(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'footnote' AND datname = current_database()",
          );
        await manager.query("SELECT 1");
      });
      expect(tries).toBe(2);
      expect(await has(tool)).toBe(true);
    });

    test("ends a statement that runs too long", async () => {
      const quick = await openTestDatabase(kind, { statementTimeoutMs: 500 });
      await expect(quick.database.system((manager) => manager.query("SELECT pg_sleep(50)"))).rejects.toMatchObject({
        driverError: { code: "57014" },
      });
      await expect(quick.database.system((manager) => manager.query("SELECT 1 AS one"))).resolves.toEqual([{ one: 1 }]);
      await quick.close();
    });
  }
});
