import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Database } from "../../src/store/database.ts";
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

describe("the embedded database", () => {
  test("is made without the template too", async () => {
    await ensureDatabase(home, join(home, "no-template"));
    expect((await stat(join(home, "database", "PG_VERSION"))).isFile()).toBe(true);
  });

  test("keeps every acknowledged row when it is killed four times in the middle of inserts", async () => {
    await placeDatabase(home);
    await expectRowsSurvive(
      4,
      () => startProgram(openingProgram(home, insertForever)),
      () => Database.open({ home, clock: systemClock, log: silentLogger }),
    );
  }, 1_200_000);
});
