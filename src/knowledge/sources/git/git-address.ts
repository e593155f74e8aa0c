import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "../../../core/errors.ts";

/** A part of a repository, as an address like `https://git.example.com/acme/handbook.git#main:guides` names it. */
export interface GitAddress {
  /** Of the repository: https, http or file. */
  readonly url: URL;
  /** The one that the repository calls its own, unless given. */
  readonly branch?: string;
  /** Documents below this folder alone; "" for all. */
  readonly folder: string;
}

/** Names and IP addresses as they stand in a URL that was read. Rules for URLs alone would let through ; and ", which mean something in git's settings. */
const HOST = /^[a-z0-9.\-[\]:_]+$/i;

/**
 * Reads an address. Other ways that git knows (ssh, ext, helpers of any name) are none: they run programs.
 * @throws AppError SOURCE_INVALID
 */
export function readGitAddress(address: string): GitAddress {
  const [, repository = "", fragment = ""] = /^([^#]*)(?:#(.*))?$/s.exec(address) ?? [];
  const url = URL.canParse(repository) ? new URL(repository) : undefined;
  if (!url || !/^(?:https?|file):$/.test(url.protocol))
    throw invalid(
      "A repository's address begins with https://, http:// or file:///. To read one with a log-in, mirror it (docs/sources.md).",
    );
  if (url.username || url.password) throw invalid("The address must not hold a password.");
  if (url.protocol === "file:" && url.host !== "") throw invalid("A repository on this machine is named as file:///path.");
  if (url.host !== "" && !HOST.test(url.hostname)) throw invalid("The address's host holds characters that no host's name has.");
  const [branch = "", folder = ""] = fragment.split(/:(.*)/s);
  if (branch !== "" && (!/^[\p{L}\p{N}_][\p{L}\p{N}_./+-]*$/u.test(branch) || branch.includes("..")))
    throw invalid("What stands behind # is a branch and, behind a colon, a folder: #main:guides");
  const parts = folder.split("/").filter((part) => part !== "");
  if (parts.some((part) => part === "." || part === ".." || /\p{Cc}/u.test(part))) throw invalid("The folder behind the colon is no path.");
  return { url, ...(branch !== "" && { branch }), folder: parts.join("/") };
}

/** The path of a repository on this machine. */
export function localPath(url: URL): string {
  const path = fileURLToPath(url);
  if (!isAbsolute(path)) throw invalid("A repository on this machine is named as file:///path.");
  return path;
}

const invalid = (why: string): AppError => new AppError("SOURCE_INVALID", why);
