/** Makes the empty database that first starts and tests copy, so that they need not make one. Run once after the install. */
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { silentLogger } from "../src/core/logger.ts";
import { Database } from "../src/store/database.ts";
import { templateDirectory } from "../src/store/embedded/template.ts";

if (existsSync(templateDirectory)) process.stdout.write(`Kept ${templateDirectory}\n`);
else {
  const home = await mkdtemp(`${templateDirectory}.unfinished-`);
  const database = await Database.open({ home, clock: systemClock, log: silentLogger });
  await database.close();
  await rename(join(home, "database"), templateDirectory);
  await rm(home, { recursive: true, force: true });
  process.stdout.write(`Built ${templateDirectory}\n`);
}
