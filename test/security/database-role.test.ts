import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { Database } from "../../src/store/database.ts";
import { migrateServer } from "../../src/store/migrate.ts";
import { createServerDatabase, type ServerDatabase } from "../fakes/server-database.ts";
import { serverUrl } from "../fakes/test-database.ts";

/** Needs a server: set FOOTNOTE_TEST_DATABASE_URL to a superuser's address of a scratch one. The embedded database has one role only. */
const onServer = serverUrl ? describe : describe.skip;

onServer("the role that a server's address names", () => {
  let server: ServerDatabase;
  let home: string;
  beforeAll(async () => {
    server = await createServerDatabase(serverUrl ?? "");
    home = await mkdtemp(join(tmpdir(), "footnote-test-"));
  });
  afterAll(async () => {
    await server.drop();
    await rm(home, { recursive: true, force: true });
  });

  const open = (url: Secret) => Database.open({ url, home, clock: systemClock, log: silentLogger });
  const login = () => new URL(server.url.reveal()).username;
  const owner = () => new URL(server.ownerUrl.reveal()).username;
  const refusal = async (url: Secret) => {
    const error = await open(url).then(
      (database) => database.close(),
      (thrown: { code: string; message: string }) => thrown,
    );
    return error ? `${error.code}: ${error.message}` : "opened";
  };
  /** Changes the login role, tries, and changes it back. */
  const refusalWhile = async (change: string, back: string) => {
    await server.asOwner(change);
    try {
      return await refusal(server.url);
    } finally {
      await server.asOwner(back);
    }
  };

  test("may be one that owns nothing and bypasses nothing", async () => {
    const database = await open(server.url);
    expect(database.kind).toBe("server");
    expect(await database.system((manager) => manager.query("SELECT current_user AS role"))).toEqual([{ role: "footnote_app" }]);
    await database.close();
  });

  test("may not be a superuser", async () => {
    expect(await refusal(server.superuserUrl)).toMatch(/^DATABASE_ROLE_UNSAFE.*it is a superuser.*GRANT footnote_app/);
  });

  test("may not own the tables", async () => {
    await server.asOwner(`ALTER ROLE ${owner()} NOCREATEROLE`);
    expect(await refusal(server.ownerUrl)).toMatch(/^DATABASE_ROLE_UNSAFE.*it owns the table/);
    await server.asOwner(`ALTER ROLE ${owner()} CREATEROLE`);
  });

  test("may not own the schema", async () => {
    const refused = await refusalWhile(`ALTER SCHEMA public OWNER TO ${login()}`, "ALTER SCHEMA public OWNER TO pg_database_owner");
    expect(refused).toMatch(/^DATABASE_ROLE_UNSAFE.*it owns the schema public/);
  });

  test("may not have BYPASSRLS, nor be a member of a role that has", async () => {
    expect(await refusalWhile(`ALTER ROLE ${login()} BYPASSRLS`, `ALTER ROLE ${login()} NOBYPASSRLS`)).toMatch(
      /ROLE_UNSAFE.*it has BYPASSRLS/,
    );
    await server.asOwner(`CREATE ROLE ${login()}_strong BYPASSRLS`);
    const refused = await refusalWhile(`GRANT ${login()}_strong TO ${login()}`, `DROP ROLE ${login()}_strong`);
    expect(refused).toMatch(/ROLE_UNSAFE.*it has BYPASSRLS \(as a member of/);
  });

  test("may not be a member of the owner, nor create roles, nor write the server's files", async () => {
    expect(await refusalWhile(`GRANT ${owner()} TO ${login()}`, `REVOKE ${owner()} FROM ${login()}`)).toMatch(/DATABASE_ROLE_UNSAFE/);
    expect(await refusalWhile(`ALTER ROLE ${login()} CREATEROLE`, `ALTER ROLE ${login()} NOCREATEROLE`)).toMatch(/UNSAFE.*CREATEROLE/);
    const files = await refusalWhile(`GRANT pg_write_server_files TO ${login()}`, `REVOKE pg_write_server_files FROM ${login()}`);
    expect(files).toMatch(/UNSAFE.*write files/);
  });

  test("must be a member of footnote_app, and the error says how", async () => {
    const refused = await refusalWhile(`REVOKE footnote_app FROM ${login()}`, `GRANT footnote_app TO ${login()}`);
    expect(refused).toContain(`DATABASE_ROLE_UNFIT`);
    expect(refused).toContain(`GRANT footnote_app TO "${login()}"`);
  });

  test("sees a schema that is not up to date as an error that names the command", async () => {
    const empty = await createServerDatabase(serverUrl ?? "", { migrate: false });
    expect(await refusal(empty.url)).toMatch(/^DATABASE_NOT_MIGRATED.*footnote migrate/);
    expect((await migrateServer(empty.ownerUrl, silentLogger)).length).toBeGreaterThan(0);
    expect(await migrateServer(empty.ownerUrl, silentLogger)).toEqual([]);
    await empty.asOwner(`GRANT footnote_app TO ${new URL(empty.url.reveal()).username}`);
    expect(await refusal(empty.url)).toBe("opened");
    await empty.asOwner("DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations)");
    expect(await refusal(empty.url)).toMatch(/^DATABASE_NOT_MIGRATED.*Missing: /);
    await empty.drop();
  });

  test("is told apart from a server that cannot be reached or does not know it, without showing the password", async () => {
    const wrong = new URL(server.url.reveal());
    wrong.password = "wrong-password-canary";
    const refused = await refusal(new Secret(wrong.href));
    expect(refused).toMatch(/^DATABASE_UNREACHABLE.*password authentication failed/);
    expect(refused).not.toContain("canary");
  });
});
