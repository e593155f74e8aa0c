import { cpSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledEntry } from "../../core/compiled-entry.ts";
import { openEngine } from "./engine.ts";

/**
 * An empty database with its tables, made once after the install by scripts/build-database-template.ts: copying it takes a tenth of a
 * second, making one takes four. Migrations that came later are run on the copy.
 */
export const templateDirectory = fileURLToPath(compiledEntry("../../../database-template", import.meta.url));

/** Name of what is left behind when the process dies while it makes a database. */
const UNFINISHED = "database.unfinished-";

/**
 * Makes sure that `<home>/database` is a whole database: copied from the template, or else initialised, beside its place and then
 * renamed, so that no half-made one is ever opened. The caller holds the lock.
 */
export async function ensureDatabase(home: string, template: string = templateDirectory): Promise<string> {
  const directory = join(home, "database");
  for (const name of await readdir(home)) {
    if (name.startsWith(UNFINISHED)) await rm(join(home, name), { recursive: true, force: true });
  }
  if (await isDirectory(directory)) return directory;
  await makeDatabase(directory, await mkdtemp(join(home, UNFINISHED)), template);
  return directory;
}

async function makeDatabase(target: string, workplace: string, template: string): Promise<void> {
  // A thousand small files: the asynchronous copy takes four times as long, and nothing else runs yet.
  if (await isDirectory(template)) cpSync(template, workplace, { recursive: true });
  else await (await openEngine(workplace)).close();
  await rename(workplace, target);
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
