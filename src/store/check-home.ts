import { access, constants, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { type Check, failed, ok, warning } from "../core/check.ts";
import { newId } from "../core/ids.ts";
import type { Secret } from "../core/secret.ts";
import { parseKeyRing } from "./key-ring.ts";

/** Free space below which the database may stop at any moment, and below which one should think of it. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;
const COMFORTABLE_FREE_BYTES = 1024 * 1024 * 1024;

/** The data folder: whether it can be written, how much room there is, and who uses it. `running`: a program of ours answers on its socket. */
export async function checkHome(home: string, { running }: { readonly running: boolean }): Promise<readonly Check[]> {
  const folder = await nearestFolder(home);
  const name = "Data folder";
  const unwritable = failed(name, `${home} cannot be written.`, `Give this user the right to write ${folder}, or set FOOTNOTE_HOME.`);
  if (!(await writable(folder, folder === home))) return [unwritable];
  const state = folder === home ? `${home} can be written` : `${home} will be made at the first start`;
  const { said, stuck } = await holder(home, running);
  const summary = `${state}, and ${said}.`;
  const mend = "If it is not just starting or stopping, end that process.";
  return [stuck ? warning(name, summary, mend) : ok(name, summary), await disk(folder)];
}

/** The keys that seal stored tokens. Never makes any. */
export async function checkKeyRing(configured: Secret | undefined, home: string): Promise<readonly Check[]> {
  const name = "Key ring";
  const path = join(home, "secret-keys.json");
  if (configured) return [ok(name, `${parseKeyRing(configured.reveal()).keys.size} in FOOTNOTE_SECRET_KEYS.`)];
  const found = await stat(path).catch(() => undefined);
  if (!found && (await stat(join(home, "database")).catch(() => undefined)))
    return [
      failed(name, `${path} is missing, so stored tokens cannot be opened.`, "Restore it from a backup, or add the workspaces anew."),
    ];
  if (!found) return [ok(name, `${path} will be made at the first start.`)];
  if (found.mode & 0o077) return [failed(name, `Others can read ${path}.`, `Run: chmod 600 ${path}`)];
  const content = await readFile(path, "utf8").catch(() => undefined);
  if (content === undefined) return [failed(name, `${path} cannot be read.`, "Run this as the user that the program runs as.")];
  return [ok(name, `${parseKeyRing(content, path).keys.size} in ${path}, readable by its owner alone.`)];
}

/** The folder itself, or the nearest one above it that exists. */
async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** A folder of our own is tried; one above it is only asked. */
async function writable(folder: string, own: boolean): Promise<boolean> {
  const probe = join(folder, `.probe-${newId()}`);
  try {
    if (!(await stat(folder)).isDirectory()) return false;
    if (!own) await access(folder, constants.W_OK | constants.X_OK);
    else {
      await writeFile(probe, "", { flag: "wx", mode: 0o600 });
      await rm(probe);
    }
    return true;
  } catch {
    return false;
  }
}

/** Who holds the lock, read from its file: taking it to find out would keep a program from starting at that moment. */
async function holder(home: string, running: boolean): Promise<{ readonly said: string; readonly stuck?: boolean }> {
  const { pid, host } = parsed(await readFile(join(home, "database.lock"), "utf8").catch(() => ""));
  const elsewhere = host !== undefined && host !== hostname();
  const who = `process ${pid}${elsewhere ? ` on ${host}` : ""}`;
  if (running) return { said: pid === undefined ? "the program is running" : `the running program uses it (${who})` };
  if (pid === undefined || !(elsewhere || alive(pid))) return { said: "nobody uses it" };
  return { said: `it is locked by ${who}, which does not answer`, stuck: true };
}

function parsed(text: string): { readonly pid?: number; readonly host?: string } {
  try {
    return JSON.parse(text) as { pid: number; host: string };
  } catch {
    return {};
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function disk(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const said = `${(free / 1024 ** 3).toFixed(1)} GB are free.`;
  const mend = "Free some space, or move FOOTNOTE_HOME to a larger disk.";
  if (free < LEAST_FREE_BYTES) return failed("Disk", said, mend);
  return free < COMFORTABLE_FREE_BYTES ? warning("Disk", said, mend) : ok("Disk", said);
}
