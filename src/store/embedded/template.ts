import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledEntry } from "../../core/compiled-entry.ts";
import { openEngine } from "./engine.ts";

/** An initialised, empty database, made once after the install: copying it takes a tenth of a second, making one takes four. */
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

/** Builds the template: run by the install script. Does nothing when it is there. */
export async function buildTemplate(template: string = templateDirectory): Promise<boolean> {
  if (await isDirectory(template)) return false;
  await mkdir(dirname(template), { recursive: true });
  await makeDatabase(template, await mkdtemp(`${template}.unfinished-`), undefined);
  return true;
}

async function makeDatabase(target: string, workplace: string, template: string | undefined): Promise<void> {
  if (template && (await isDirectory(template))) await cp(template, workplace, { recursive: true });
  else await (await openEngine(workplace)).close();
  await rename(workplace, target);
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
