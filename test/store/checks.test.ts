import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { checkClosedDatabase } from "../../src/store/check-closed.ts";
import { checkHome, checkKeyRing } from "../../src/store/check-home.ts";
import { loadKeyRing } from "../../src/store/key-ring.ts";
import { createServerDatabase } from "../fakes/server-database.ts";
import { openTestDatabase, serverUrl, testDatabases } from "../fakes/test-database.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "footnote-checks-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const options = () => ({ home, clock: systemClock, log: silentLogger });
const holds = (pid: number, host = hostname()) => writeFile(join(home, "database.lock"), JSON.stringify({ pid, host }));

describe("the data folder", () => {
  test("that can be written is fine, with its free space", async () => {
    const [folder, disk] = await checkHome(home, { running: false });
    expect(folder).toEqual({ name: "Data folder", status: "ok", summary: `${home} can be written, and nobody uses it.` });
    expect(disk).toMatchObject({ name: "Disk", summary: expect.stringMatching(/^[\d.]+ GB are free\.$/) });
  });

  test("that is not there yet is fine, and is not made", async () => {
    const missing = join(home, "a", "b");
    expect((await checkHome(missing, { running: false }))[0]).toMatchObject({
      status: "ok",
      summary: `${missing} will be made at the first start, and nobody uses it.`,
    });
    expect(await checkHome(home, { running: false })).toMatchObject([{ status: "ok" }, {}]);
  });

  test("that cannot be written is a failure", async () => {
    await writeFile(join(home, "file"), "");
    expect(await checkHome(join(home, "file"), { running: false })).toMatchObject([
      { status: "failed", mend: expect.stringContaining("FOOTNOTE_HOME") },
    ]);
  });

  test("says who uses it: the running program, somebody who does not answer, or nobody after a crash", async () => {
    await holds(process.pid);
    const of = async (running: boolean) => (await checkHome(home, { running }))[0];
    expect(await of(true)).toMatchObject({
      status: "ok",
      summary: expect.stringContaining(`the running program uses it (process ${process.pid})`),
    });
    expect(await of(false)).toMatchObject({
      status: "warning",
      summary: expect.stringContaining(`locked by process ${process.pid}, which does not answer`),
    });
    await holds(7, "another-host");
    expect(await of(false)).toMatchObject({ status: "warning", summary: expect.stringContaining("process 7 on another-host") });
    // No process has this number on Linux: it is the largest there can be.
    await holds(4_194_304);
    expect(await of(false)).toMatchObject({ status: "ok", summary: expect.stringContaining("nobody uses it") });
  });
});

describe("the key ring", () => {
  test("that is not there yet is fine and is not made; beside a database it is a failure", async () => {
    expect(await checkKeyRing(undefined, home)).toMatchObject([{ status: "ok", summary: expect.stringContaining("will be made") }]);
    await mkdir(join(home, "database"));
    expect(await checkKeyRing(undefined, home)).toMatchObject([{ status: "failed", summary: expect.stringContaining("is missing") }]);
  });

  test("that others can read, or that is damaged, is a failure; made well it is fine", async () => {
    await loadKeyRing(undefined, home);
    const path = join(home, "secret-keys.json");
    expect(await checkKeyRing(undefined, home)).toMatchObject([{ status: "ok", summary: `1 in ${path}, readable by its owner alone.` }]);
    await chmod(path, 0o644);
    expect(await checkKeyRing(undefined, home)).toMatchObject([{ status: "failed", mend: `Run: chmod 600 ${path}` }]);
    await chmod(path, 0o600);
    await writeFile(path, "{}");
    await expect(checkKeyRing(undefined, home)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("a database that nobody holds open", () => {
  test("is not made by looking", async () => {
    expect(await checkClosedDatabase(options())).toMatchObject([
      { status: "ok", summary: "The embedded database will be made at the first start." },
    ]);
    expect(await checkHome(home, { running: false })).toMatchObject([{ status: "ok" }, {}]);
  });

  test("and is embedded tells its version, pgvector and schema, and can be opened afterwards", async () => {
    const db = await openTestDatabase("embedded");
    await db.database.close();
    const checks = await checkClosedDatabase({ ...options(), home: db.home });
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ["Database", "ok"],
      ["pgvector", "ok"],
      ["Schema", "ok"],
    ]);
    expect(await checkClosedDatabase({ ...options(), home: db.home })).toEqual(checks);
    await rm(db.home, { recursive: true });
  });

  test("and is locked by somebody is a failure that names the holder", async () => {
    const db = await openTestDatabase("embedded");
    expect(await checkClosedDatabase({ ...options(), home: db.home })).toMatchObject([
      {
        name: "Database",
        status: "failed",
        summary: "Another Footnote process is using this data folder.",
        mend: expect.stringContaining(`${process.pid}`),
      },
    ]);
    await db.close();
  });

  test("and cannot be reached is a failure without its password", async () => {
    const checks = await checkClosedDatabase({ ...options(), url: new Secret("postgres://somebody:canary@127.0.0.1:1/none") });
    expect(checks).toMatchObject([{ name: "Database", status: "failed", mend: expect.stringContaining("DATABASE_URL") }]);
    expect(JSON.stringify(checks)).not.toContain("canary");
  });
});

test.each(testDatabases)("the %s database that is open tells the same", async (kind) => {
  const db = await openTestDatabase(kind);
  const names = (await db.database.checks()).map(({ name, status }) => `${name} ${status}`);
  expect(names).toEqual(["Database ok", "pgvector ok", "Schema ok", ...(kind === "server" ? ["Database role ok", "Vector index ok"] : [])]);
  await db.close();
});

const admin = serverUrl ?? "";
if (admin)
  test("a server is told apart by what is wrong with it: the role, the schema", async () => {
    const migrated = await createServerDatabase(admin);
    const empty = await createServerDatabase(admin, { migrate: false });
    const statuses = async (url: Secret) =>
      (await checkClosedDatabase({ ...options(), url })).filter(({ status }) => status === "failed").map(({ name }) => name);
    expect(await statuses(migrated.url)).toEqual([]);
    expect(await statuses(migrated.superuserUrl)).toEqual(["Database role"]);
    expect(await statuses(empty.url)).toEqual(["Schema"]);
    expect(
      (await checkClosedDatabase({ ...options(), url: migrated.superuserUrl })).find(({ name }) => name === "Database role")?.mend,
    ).toContain("CREATE ROLE");
    await migrated.drop();
    await empty.drop();
  });
