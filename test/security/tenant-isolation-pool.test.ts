import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { EntityManager } from "typeorm";
import { type TenantId, tenantId } from "../../src/core/ids.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";
import { expectNoForeignRows, read, scarce, write } from "./shared-connections.ts";

/** A slow twin of this runs 10,000. */
const OPERATIONS = 1_500;
const refused = { code: "NO_TENANT_CONTEXT" };

describe.each(testDatabases)("connections that tenants share on the %s database", (kind) => {
  let db: TestDatabase;
  let acme: TenantId;
  let globex: TenantId;

  beforeAll(async () => {
    db = await openTestDatabase(kind, scarce);
    acme = await db.addTenant("acme");
    globex = await db.addTenant("globex");
    for (const tenant of [acme, globex]) await db.database.forTenant(tenant)((manager) => write(manager, tenant));
  });
  afterAll(() => db.close());

  test(
    `never show one tenant another's rows in ${OPERATIONS.toLocaleString("en")} operations, whatever goes wrong between`,
    () => expectNoForeignRows(db, [acme, globex], OPERATIONS),
    300_000,
  );

  describe("a statement outside the helper", () => {
    test("is refused through a manager that outlived its transaction", async () => {
      let kept: EntityManager | undefined;
      await db.database.forTenant(acme)(async (manager) => {
        kept = manager;
      });
      await expect(kept?.query("SELECT 1")).rejects.toThrow(/released|NO_TENANT_CONTEXT/);
    });

    test("is refused through the data source behind a manager, during the transaction and after it", async () => {
      let source: EntityManager["dataSource"] | undefined;
      await db.database.forTenant(acme)(async (manager) => {
        source = manager.dataSource;
        await expect(source.query("SELECT * FROM installations")).rejects.toMatchObject(refused);
      });
      await expect(source?.query("SELECT * FROM installations")).rejects.toMatchObject(refused);
      await expect(source?.manager.query("SELECT 1")).rejects.toMatchObject(refused);
      await expect(source?.transaction((manager) => manager.query("SELECT 1"))).rejects.toMatchObject(refused);
    });

    test("is refused in a transaction inside another, which would wait for itself", async () => {
      const nested = db.database.forTenant(acme)(() => db.database.forTenant(globex)((manager) => manager.query("SELECT 1")));
      await expect(nested).rejects.toMatchObject(refused);
      await expect(db.database.forTenant(acme)((manager) => manager.query("SELECT 1 AS one"))).resolves.toEqual([{ one: 1 }]);
    });

    test.each([
      "COMMIT",
      "ROLLBACK",
      "BEGIN",
      "SET ROLE postgres",
      "SET LOCAL ROLE postgres",
      "RESET ROLE",
      "DISCARD ALL",
      "SET search_path = other",
      "SET LOCAL app.tenant_id = '00000000-0000-4000-8000-000000000000'",
      "SELECT set_config('app.tenant_id', '', true)",
    ])("is refused when it would change whose transaction it is: %s", async (statement) => {
      await expect(db.database.forTenant(acme)((manager) => manager.query(statement))).rejects.toMatchObject(refused);
      const seen = await db.database.forTenant(acme)(read);
      expect(new Set(seen)).toEqual(new Set([acme]));
    });

    test("is let through when it only tunes the transaction", async () => {
      const [row] = await db.database.forTenant(acme)(async (manager) => {
        await manager.query("SET LOCAL work_mem = '8MB'");
        return manager.query("SELECT current_setting('work_mem') AS memory");
      });
      expect(row).toEqual({ memory: "8MB" });
    });
  });

  test("a tenant's id that is not a UUID opens nothing", async () => {
    for (const id of ["", "acme", "' OR true --"]) {
      await expect(db.database.forTenant(tenantId(id))((manager) => manager.query("SELECT 1"))).rejects.toMatchObject(refused);
    }
  });

  test("an error carries no tenant's text", async () => {
    const secret = "text-nobody-may-log";
    const failing = db.database.forTenant(acme)((manager) =>
      manager.query("INSERT INTO tool_switches (tenant_id, scope, tool) VALUES ($1, $2, 'x')", [acme, secret]),
    );
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + JSON.stringify(error)).not.toContain(secret);
  });

  test("a connection that still carries a tenant is not used: refused, and on a server replaced", async () => {
    const own = await openTestDatabase(kind, { poolSize: 1 });
    // Written so that the guard does not see it, as a function in the database might.
    await own.database.system((manager) => manager.query(`SELECT set_config('app.' || 'tenant_id', '${acme}', false)`));
    await expect(own.database.system(read)).rejects.toMatchObject(refused);
    const next = own.database.system(read);
    if (kind === "server") await expect(next).resolves.toEqual([]);
    else await expect(next).rejects.toMatchObject(refused);
    await own.close();
  });

  test("a connection carries no tenant once its transaction is over", async () => {
    const own = await openTestDatabase(kind, { poolSize: 1 });
    const tenant = await own.addTenant();
    for (let i = 0; i < 3; i++) await own.database.forTenant(tenant)(read);
    await expect(
      own.database.system((manager) => manager.query("SELECT current_setting('app.tenant_id', true) AS tenant")),
    ).resolves.toEqual([{ tenant: "" }]);
    await own.close();
  });
});
