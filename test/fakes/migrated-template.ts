import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Database } from "../../src/store/database.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** An embedded database with every migration run, made once per set of migrations and then copied by each test. */
export async function migratedTemplate(): Promise<string> {
  const target = join(root, "dist", `test-database-${await fingerprint()}`);
  if (await stat(target).catch(() => undefined)) return target;
  await mkdir(join(root, "dist"), { recursive: true });
  const home = await mkdtemp(`${target}.unfinished-`);
  const database = await Database.open({ home, clock: systemClock, log: silentLogger });
  await database.close();
  // Another test file may have been faster: then its copy is as good.
  await rename(join(home, "database"), target).catch(() => undefined);
  await rm(home, { recursive: true, force: true });
  return target;
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(join(root, "migrations"))).sort())
    hash.update(name).update(await readFile(join(root, "migrations", name)));
  hash.update(await readFile(join(root, "node_modules/@electric-sql/pglite/package.json")));
  return hash.digest("hex").slice(0, 16);
}
