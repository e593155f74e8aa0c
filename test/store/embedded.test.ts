import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Database } from "../../src/store/database.ts";
import { lockFile } from "../../src/store/embedded/lock.ts";
import { ensureDatabase } from "../../src/store/embedded/template.ts";
import { killPrograms, startProgram } from "../fakes/child-program.ts";
import { placeDatabase } from "../fakes/migrated-template.ts";
import { expectRowsSurvive, insertForever, openingProgram } from "./crash-rounds.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "footnote-test-"));
});
afterEach(async () => {
  await killPrograms();
  await rm(home, { recursive: true, force: true });
});

/** With a database that needs no migrations any more: that is quicker. */
const prepare = () => placeDatabase(home);
const open = () => Database.open({ home, clock: systemClock, log: silentLogger });
const opener = (then?: string, environment?: Readonly<Record<string, string>>) => startProgram(openingProgram(home, then), environment);

describe("the data folder's lock", () => {
  test("keeps a second program out, and says which process holds it; a kill -9 frees it at once", async () => {
    await prepare();
    const holder = opener();
    await holder.line("opened");
    await expect(open()).rejects.toMatchObject({ code: "HOME_LOCKED", message: expect.stringContaining(`process ${holder.pid}`) });
    await holder.kill();
    const database = await open();
    await database.close();
  });

  test("keeps the same program out a second time, until it has closed the first", async () => {
    await prepare();
    const first = await open();
    await expect(open()).rejects.toMatchObject({ code: "HOME_LOCKED" });
    await first.close();
    const second = await open();
    await second.close();
  });

  test("lets exactly one of several in that start together, also right after a crash", async () => {
    const path = join(home, "lock");
    const racers = Array.from({ length: 6 }, () =>
      startProgram(`
        const { lockFile } = await at("store/embedded/lock.js");
        await lockFile(${JSON.stringify(path)}).then(() => console.log("won"), (error) => console.log("lost " + error.code));
        setInterval(() => undefined, 1000);`),
    );
    const outcomes = await Promise.all(racers.map((racer) => Promise.race([racer.line("won"), racer.line("lost")])));
    expect(outcomes.filter((line) => line === "won")).toHaveLength(1);
    expect(outcomes.filter((line) => line === "lost HOME_LOCKED")).toHaveLength(5);
    for (const racer of racers) await racer.kill();
    const lock = await lockFile(path);
    await lock.release();
  });
});

describe("the embedded database", () => {
  test("keeps every acknowledged row when it is killed in the middle of inserts, and when that happens again", async () => {
    await prepare();
    await expectRowsSurvive(2, () => opener(insertForever), open);
  });

  test("writes to the disk before it acknowledges", async () => {
    await prepare();
    const database = await open();
    const [row] = await database.system((manager) =>
      manager.query(
        "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('wal_sync_method') AS method",
      ),
    );
    await database.close();
    expect(row).toEqual({ fsync: "on", commit: "on", method: "fsync" });
  });

  test("never opens a half-made database: what a crash left behind is removed and made anew", async () => {
    await mkdir(join(home, "database.unfinished-abc"));
    await ensureDatabase(home);
    expect((await readdir(home)).sort()).toEqual(["database"]);
    expect((await stat(join(home, "database", "PG_VERSION"))).isFile()).toBe(true);
  });

  test("leaves its socket to its owner alone, and takes it away in the end", async () => {
    await prepare();
    // In a program of its own, whose temporary files nobody else has a part in.
    const temporary = join(home, "temporary");
    await mkdir(temporary);
    const sockets = async () => (await readdir(temporary)).filter((name) => name.startsWith("footnote-"));
    const program = opener('process.stdin.once("data", async () => { await database.close(); console.log("closed"); process.exit(0); });', {
      TMPDIR: temporary,
    });
    await program.line("opened");
    const [socket = ""] = await sockets();
    expect((await stat(join(temporary, socket))).mode & 0o777).toBe(0o700);
    program.say("close");
    await program.line("closed");
    expect(await sockets()).toEqual([]);
  });

  test("does not hold up the program while a query takes long", async () => {
    await prepare();
    const database = await open();
    let beats = 0;
    const beat = setInterval(() => beats++, 5);
    await database.system((manager) => manager.query("SELECT count(*) FROM generate_series(1, 3000000)"));
    clearInterval(beat);
    await database.close();
    expect(beats).toBeGreaterThan(2);
  });
});
