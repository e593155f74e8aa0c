import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Database } from "../../src/store/database.ts";
import { template } from "./template.ts";

/** Puts an embedded database with every migration run into a data folder, as `<home>/database`: a copy of one that is made once. */
export async function placeDatabase(home: string): Promise<void> {
  const made = await template("test-database", ["migrations", "node_modules/@electric-sql/pglite/package.json"], async (folder) => {
    const workplace = await mkdtemp(`${folder}-`);
    const database = await Database.open({ home: workplace, clock: systemClock, log: silentLogger });
    await database.close();
    cpSync(join(workplace, "database"), folder, { recursive: true });
    await rm(workplace, { recursive: true, force: true });
  });
  // A thousand small files: the asynchronous copy takes four times as long.
  cpSync(made, join(home, "database"), { recursive: true });
}
