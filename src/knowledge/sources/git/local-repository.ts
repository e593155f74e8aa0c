import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { AppError } from "../../../core/errors.ts";

/** Files by which a repository takes its content from another one: of a second work tree, and of a clone that shares. */
const ELSEWHERE = ["commondir", "objects/info/alternates", "objects/info/http-alternates"];
/** How deep git keeps content below `objects`: a folder, and files in it. */
const OBJECT_LEVELS = 2;

/**
 * The folder in which a repository of this machine keeps its content, without links, for git to open and no other. Whatever would lead git
 * from there to content outside the listed folders is refused.
 * @throws AppError SOURCE_UNREACHABLE
 */
export async function openLocalRepository(path: string, folders: readonly string[]): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw unreachable("There is no such repository, or Footnote may not read it.");
  await requireListed(real, folders);
  const inner = join(real, ".git");
  const gitFolder = (await kindOf(inner)) === "folder" ? inner : real;
  // A file or a link in the place of .git, or one more in it: git would go there first.
  if ((await kindOf(join(gitFolder, ".git"))) !== "none") throw leadsAway("its .git is a file or a link, or holds another");
  for (const name of ELSEWHERE) {
    if ((await kindOf(join(gitFolder, name))) !== "none") throw leadsAway(`it has ${name}`);
  }
  const objects = join(gitFolder, "objects");
  const kind = await kindOf(objects);
  if (kind === "none") throw unreachable("There is no such repository, or Footnote may not read it.");
  if (kind === "other" || (await holdsLinks(objects, OBJECT_LEVELS))) throw leadsAway("objects is a link or holds one");
  return gitFolder;
}

async function requireListed(real: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const listed = await realpath(folder).catch(() => undefined);
    if (listed !== undefined && (real === listed || real.startsWith(listed.endsWith(sep) ? listed : listed + sep))) return;
  }
  throw unreachable("Repositories of this machine are read below the folders in FOOTNOTE_GIT_FOLDERS alone.");
}

/** Links are not followed: they are "other". What may not be looked at is no "none". */
async function kindOf(path: string): Promise<"none" | "folder" | "other"> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "none";
    throw unreachable("There is no such repository, or Footnote may not read it.");
  }
}

async function holdsLinks(folder: string, levels: number): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw unreachable("There is no such repository, or Footnote may not read it.");
  });
  for (const entry of entries) {
    if (entry.isSymbolicLink()) return true;
    if (levels > 1 && entry.isDirectory() && (await holdsLinks(join(folder, entry.name), levels - 1))) return true;
  }
  return false;
}

const unreachable = (why: string): AppError => new AppError("SOURCE_UNREACHABLE", why);
const leadsAway = (why: string): AppError =>
  unreachable(`The repository takes its content from elsewhere (${why}): give a full clone of it, made with git clone --mirror.`);
