import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newId } from "../../src/core/ids.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

describe.each(testDatabases)("the %s database", (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db.close());

  test("work runs as the application's role, bound to its tenant", async () => {
    const tenant = await db.addTenant();
    const [row] = await db.database.forTenant(tenant)((manager) =>
      manager.query("SELECT current_user AS role, current_setting('app.tenant_id') AS tenant"),
    );
    expect(row).toEqual({ role: "footnote_app", tenant });
  });

  test("vectors can be stored and compared", async () => {
    const [row] = await db.database.system((manager) => manager.query("SELECT '[1,2,3]'::vector <-> '[1,2,5]'::vector AS distance"));
    expect(row).toEqual({ distance: 2 });
  });

  test("a tenant that does not exist has no rows", async () => {
    const rows = await db.database.forTenant(newId() as never)((manager) => manager.query("SELECT * FROM installations"));
    expect(rows).toEqual([]);
  });
});
