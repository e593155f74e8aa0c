import { afterEach, expect, test } from "@jest/globals";
import { silentLogger } from "../../src/core/logger.ts";
import { migrateServer } from "../../src/store/migrate.ts";
import { createServerDatabase, type ServerDatabase } from "../fakes/server-database.ts";
import { openTestDatabase, serverUrl } from "../fakes/test-database.ts";

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

test("H5-OPS-01: a database that is up to date says so by itself", async () => {
  const db = await openTestDatabase();
  ending.push(() => db.close());
  const [{ count } = { count: 0 }] = await db.asOwner<{ count: number }>("SELECT count(*)::int AS count FROM schema_migrations");
  expect(count).toBeGreaterThan(0);
});

if (serverUrl) {
  const admin = serverUrl;
  const empty = async (): Promise<ServerDatabase> => {
    const made = await createServerDatabase(admin, { migrate: false });
    ending.push(() => made.drop());
    return made;
  };
  const tables = async (db: ServerDatabase) =>
    (await db.asOwner<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).map(
      ({ name }) => name,
    );

  test("H5-OPS-01: without the vector extension, and without the right to create it, the message names the statement and nothing is half made", async () => {
    const db = await empty();
    await db.asOwner("DROP EXTENSION vector");
    await expect(migrateServer(db.ownerUrl, silentLogger)).rejects.toMatchObject({
      code: "DATABASE_NOT_MIGRATED",
      message: expect.stringContaining("CREATE EXTENSION vector"),
    });
    expect((await tables(db)).filter((name) => name !== "schema_migrations")).toEqual([]);
  });

  test("H5-OPS-01: tables that no migration made are left as they are, with a message that says so", async () => {
    const db = await empty();
    await db.asOwner("CREATE TABLE tenants (id uuid PRIMARY KEY)");
    await expect(migrateServer(db.ownerUrl, silentLogger)).rejects.toMatchObject({
      code: "DATABASE_NOT_MIGRATED",
      message: expect.stringContaining("empty database"),
    });
    expect((await tables(db)).filter((name) => name !== "schema_migrations")).toEqual(["tenants"]);
  });

  test("H5-OPS-01: of two processes that migrate at once, one does it and the other sees that it is done", async () => {
    const db = await empty();
    const done = await Promise.all([migrateServer(db.ownerUrl, silentLogger), migrateServer(db.ownerUrl, silentLogger)]);
    expect(done.map((names) => names.length > 0).sort()).toEqual([false, true]);
    expect(await tables(db)).toContain("turns");
  });
}
