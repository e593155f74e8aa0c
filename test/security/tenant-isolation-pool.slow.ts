import { afterAll, beforeAll, describe, test } from "@jest/globals";
import type { TenantId } from "../../src/core/ids.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";
import { expectNoForeignRows, scarce, write } from "./shared-connections.ts";

const OPERATIONS = 10_000;

describe.each(testDatabases)("T03: connections that tenants share on the %s database", (kind) => {
  let db: TestDatabase;
  let tenants: [TenantId, TenantId];
  beforeAll(async () => {
    db = await openTestDatabase(kind, scarce);
    tenants = [await db.addTenant("acme"), await db.addTenant("globex")];
    for (const tenant of tenants) await db.database.forTenant(tenant)((manager) => write(manager, tenant));
  });
  afterAll(() => db.close());

  test(
    `never show one tenant another's rows in ${OPERATIONS.toLocaleString("en")} operations, whatever goes wrong between`,
    () => expectNoForeignRows(db, tenants, OPERATIONS),
    600_000,
  );
});
