import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "../core/errors.ts";

/** Longest path a unix socket can be bound to on every system that we run on (macOS allows 103 bytes). */
const longestSocketPath = 100;

/**
 * The unix socket of the program that runs on a data folder: in the folder itself, or in a folder of its own beside the system's
 * temporary files when its path is too long.
 */
export function controlAddress(home: string): string {
  const inside = join(home, "control.sock");
  if (Buffer.byteLength(inside) <= longestSocketPath) return inside;
  return join(tmpdir(), `footnote-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`, "control");
}

/**
 * Where anybody may make files, anybody may wait under our socket's name for questions and tokens. So there the socket lies in a folder
 * that is ours alone, made here when `make` is set. False when there is none yet.
 * @throws AppError CONFIG_INVALID when the folder is not ours alone
 */
export function socketFolderIsOurs(home: string, { make }: { readonly make: boolean }): boolean {
  const folder = dirname(controlAddress(home));
  if (folder === home) return true;
  try {
    if (make) mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return true;
  throw new AppError("CONFIG_INVALID", `${folder} is not this user's alone. Remove it, or set FOOTNOTE_HOME to a shorter path.`);
}

/** Takes the folder away again, when there is one beside the data folder. */
export function removeSocketFolder(home: string): void {
  const folder = dirname(controlAddress(home));
  if (folder === home) return;
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else's program of the same user has begun to use it.
  }
}
