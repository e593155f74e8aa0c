import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The repository's root, seen from the compiled file. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The folder of the load harness, which is not part of this repository. Undefined when it is not there. */
export async function findHarness(): Promise<string | undefined> {
  const folder = join(process.env.FOOTNOTE_SHARED ?? join(root, "..", "shared"), "harness");
  return (await exists(join(folder, "bin", "bench.mjs"))) ? folder : undefined;
}

/**
 * A copy of the harness that may be written to, made once per state of the original. It lies below node_modules, so that it finds this
 * repository's `ws` and needs no installation.
 */
export async function placeHarness(original: string): Promise<string> {
  const place = join(root, "node_modules", ".cache", "footnote-load-harness", await stateOf(original));
  if (await exists(place)) return realpath(place);
  const cache = dirname(place);
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  await cp(original, draft, { recursive: true });
  await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }));
  return realpath(place);
}

/** Installs what a peer bot of the harness needs, once. @returns why it cannot be compared with, or nothing */
export async function installPeer(harness: string, peer: string): Promise<string | undefined> {
  const folder = join(harness, "peers", peer);
  const done = join(folder, "installed");
  if (!(await exists(folder))) return `${peer} is not part of this harness`;
  if (await exists(done)) return undefined;
  try {
    const limit = { cwd: folder, timeout: 300_000 };
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder], limit);
    await writeFile(done, "");
    return undefined;
  } catch {
    return `the packages of ${peer} cannot be installed (npm install failed)`;
  }
}

async function stateOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.filter((file) => !file.includes("node_modules")).sort()) hash.update(file).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
