import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/core/clock.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A folder under dist/ that is costly to make, made once for as long as the sources it follows from stay the same.
 * @param sources files and folders, relative to the repository's root
 * @param make fills the empty folder it is given
 * @returns the folder's path, for copying
 */
export async function template(name: string, sources: readonly string[], make: (folder: string) => Promise<void>): Promise<string> {
  const target = join(root, "dist", `${name}-${await fingerprintOf(sources)}`);
  if (await stat(target).catch(() => undefined)) return target;
  await mkdir(join(root, "dist"), { recursive: true });
  if (await madeByAnother(target)) return target;
  const draft = await mkdtemp(`${target}.unfinished-`);
  try {
    await make(draft);
    // Another test file may have been faster after all: then its copy is as good.
    await rename(draft, target).catch(() => undefined);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(claimOf(target), { force: true });
  }
  return target;
}

/** 16 characters that stay the same for as long as these files and folders do. @param sources relative to the repository's root */
export async function fingerprintOf(sources: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) await digest(join(root, source), hash);
  return hash.digest("hex").slice(0, 16);
}

const claimOf = (target: string): string => `${target}.claimed`;
/** How long somebody else's attempt is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Waits while another test file makes the folder, so that it is not made twice. @returns false when it is this one's turn */
async function madeByAnother(target: string): Promise<boolean> {
  const exists = () => stat(target).then(Boolean, () => false);
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    if (await exists()) return true;
    const mine = await writeFile(claimOf(target), String(process.pid), { flag: "wx" }).then(
      () => true,
      () => false,
    );
    if (mine) return false;
    // What a killed process left behind keeps nobody.
    const holder = Number(await readFile(claimOf(target), "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) await rm(claimOf(target), { force: true });
    await systemClock.sleep(100);
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function digest(path: string, hash: ReturnType<typeof createHash>): Promise<void> {
  hash.update(path.slice(root.length));
  if ((await stat(path)).isFile()) hash.update(await readFile(path));
  else for (const name of (await readdir(path)).sort()) await digest(join(path, name), hash);
}
