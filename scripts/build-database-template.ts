/** Makes the empty database that first starts and tests copy, so that they need not make one. Run after every install. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../migrations/index.ts";
import { systemClock } from "../src/core/clock.ts";
import { silentLogger } from "../src/core/logger.ts";
import { Database } from "../src/store/database.ts";
import { templateDirectory } from "../src/store/embedded/template.ts";

/** Says by which migrations the database was made: an older one would still do, but each copy of it would run the newer ones. */
const stamp = `${templateDirectory}.made-by`;
const madeBy = createHash("sha256").update(migrations.join("\n")).digest("hex");

const current = existsSync(templateDirectory) && (await readFile(stamp, "utf8").catch(() => "")) === madeBy;
if (current) process.stdout.write(`Kept ${templateDirectory}\n`);
else {
  const home = await mkdtemp(`${templateDirectory}.unfinished-`);
  const database = await Database.open({ home, clock: systemClock, log: silentLogger });
  await database.close();
  await rm(templateDirectory, { recursive: true, force: true });
  await rename(join(home, "database"), templateDirectory);
  await writeFile(stamp, madeBy);
  await rm(home, { recursive: true, force: true });
  process.stdout.write(`Built ${templateDirectory}\n`);
}
