import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "../core/errors.ts";

/**
 * Makes the data folder and those above it where they are missing, for their owner alone. Folder by folder: the file system's own way of
 * making all at once never ends below /proc.
 * @throws AppError HOME_NOT_WRITABLE where the system has no folders of ours; else the file system's error
 */
export async function makeDataFolder(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) return;
  if (dirname(path) !== path) await makeDataFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process was quicker; what is there and no folder shows itself at the first file.
    if (error.code === "ENOENT") throw new AppError("HOME_NOT_WRITABLE", "Set FOOTNOTE_HOME to a folder that this user may write to.");
    if (error.code !== "EEXIST") throw error;
  });
}
