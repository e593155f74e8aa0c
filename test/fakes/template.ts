import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A folder under dist/ that is costly to make, made once for as long as the sources it follows from stay the same.
 * @param sources files and folders, relative to the repository's root
 * @param make fills the empty folder it is given
 * @returns the folder's path, for copying
 */
export async function template(name: string, sources: readonly string[], make: (folder: string) => Promise<void>): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) await digest(join(root, source), hash);
  const target = join(root, "dist", `${name}-${hash.digest("hex").slice(0, 16)}`);
  if (await stat(target).catch(() => undefined)) return target;
  await mkdir(join(root, "dist"), { recursive: true });
  const draft = await mkdtemp(`${target}.unfinished-`);
  await make(draft);
  // Another test file may have been faster: then its copy is as good.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
  return target;
}

async function digest(path: string, hash: ReturnType<typeof createHash>): Promise<void> {
  hash.update(path.slice(root.length));
  if ((await stat(path)).isFile()) hash.update(await readFile(path));
  else for (const name of (await readdir(path)).sort()) await digest(join(path, name), hash);
}
