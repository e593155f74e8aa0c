import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { AppError } from "../../core/errors.ts";

/** A file to be added, or the reason why not. */
export interface FoundFile {
  /** For reports: as the caller named it, or below a folder the caller named. */
  readonly path: string;
  /** The same for the same file of the same folder wherever that folder lies: "file:handbook/leave/parental.md". */
  readonly sourceUri: string;
}

/** Larger files are refused: 25 MiB. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** The files at these paths, in a stable order. In folders hidden files are skipped and links that leave the folder are not followed. */
export async function findFiles(paths: readonly string[]): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const path of paths) {
    const absolute = resolve(path);
    const folder = await stat(absolute).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    // A file alone is named after the folder it lies in, so that it is the same document when that folder is added.
    if (!folder) found.push({ path, sourceUri: sourceUri(basename(dirname(absolute)), basename(absolute)) });
    else found.push(...(await walk(await realpath(absolute), basename(absolute), path)));
  }
  return found;
}

async function walk(root: string, rootName: string, shown: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    // Reading it as a file will fail and say why: a folder left out in silence would look complete.
    if (!entries) found.push({ path: join(shown, relative(root, folder)), sourceUri: sourceUri(rootName, relative(root, folder)) });
    for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = join(folder, entry.name);
      const inside = relative(root, path);
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsInside(root, path)))) {
        found.push({ path: join(shown, inside), sourceUri: sourceUri(rootName, inside) });
      }
    }
  };
  await visit(root);
  return found;
}

/** Whether a link leads to a file below the root. Linked folders are left out: they would come twice or never end. */
async function leadsInside(root: string, path: string): Promise<boolean> {
  const target = await realpath(path).catch(() => undefined);
  if (!target?.startsWith(root + sep)) return false;
  return (await stat(target)).isFile();
}

const sourceUri = (root: string, path: string): string => `file:${[root, ...path.split(sep)].join("/")}`.normalize("NFC");

/** A file's bytes. Throws AppError DOCUMENT_UNREADABLE with the reason. */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const entry = await stat(path);
    if (entry.isDirectory()) throw new AppError("DOCUMENT_UNREADABLE", "This folder cannot be read: check its permissions.");
    // Reading from a pipe or device might never end.
    if (!entry.isFile()) throw new AppError("DOCUMENT_UNREADABLE", "It is not a regular file.");
    checkSize(entry.size);
    return await readFile(path);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new AppError("DOCUMENT_UNREADABLE", reasons[code] ?? "The file could not be opened.", { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file.",
  EACCES: "Footnote may not read it: check the file's permissions.",
};

/** Throws AppError DOCUMENT_UNREADABLE for a file that is too large. */
export function checkSize(bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  const mebibytes = (bytes / 1024 / 1024).toFixed(0);
  throw new AppError("DOCUMENT_UNREADABLE", `It is ${mebibytes} MiB large, the limit is ${MAX_FILE_BYTES / 1024 / 1024} MiB: split it.`);
}
