import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { Pin } from "../../../safe-fetch/port.ts";
import { documentNames } from "../../ingest/document-names.ts";
import { checkSize } from "../../ingest/files.ts";
import type { DocumentSource, ReadItem } from "../document-source.ts";
import { type GitAddress, localPath, readGitAddress } from "./git-address.ts";
import { type GitParts, git, requireGit } from "./git-program.ts";
import { openLocalRepository } from "./local-repository.ts";

export interface RepositoryParts {
  readonly clock: Clock;
  /** Where the host may be reached, by the same rules as every other address. */
  readonly pin: Pin;
  /** Folders of this machine below which repositories may be read; none unless the operator lists them. */
  readonly localFolders: readonly string[];
  /** Another program only in tests. */
  readonly program?: string | undefined;
}

/** Documents of one repository at most; the rest is told. */
const MOST_DOCUMENTS = 5_000;
const tooMany = `The repository has more than ${MOST_DOCUMENTS.toLocaleString("en")} documents. Only the first are read; name folders of it as sources of their own (#main:folder).`;
/** How a file begins whose content lies in Git LFS. */
const LFS = Buffer.from("version https://git-lfs.github.com/spec/");
/** An ordinary file, and one that may be run. Links (120000) and other repositories (160000) are left out. */
const FILES: ReadonlySet<string> = new Set(["100644", "100755"]);

/**
 * The documents of one branch of a Git repository. Its latest state is fetched into a folder of its own and nothing is checked out, so that
 * no hook, filter or link of it means anything; a document's version is the name of its content.
 */
export function repositorySource(address: string, parts: RepositoryParts): DocumentSource {
  const place = readGitAddress(address);
  return {
    async *items(signal, incomplete) {
      const home = await mkdtemp(join(tmpdir(), "footnote-git-"));
      try {
        const run = { clock: parts.clock, home, program: parts.program };
        await requireGit(run, place.url.protocol === "file:", signal);
        await fetchInto(run, place, parts, signal);
        const files = await filesOf(run, place, signal);
        if (files.length > MOST_DOCUMENTS) incomplete(tooMany);
        for (const { path, content, size } of files.slice(0, MOST_DOCUMENTS)) {
          signal.throwIfAborted();
          yield {
            ...{ uri: path, name: basename(path), version: content },
            read: (_known, stop) => read(run, { content, size }, stop),
          };
        }
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}

const repository = ["--git-dir", "repository"];

async function fetchInto(run: GitParts, { url, branch }: GitAddress, parts: RepositoryParts, signal: AbortSignal): Promise<void> {
  const local = url.protocol === "file:" ? await openLocalRepository(localPath(url), parts.localFolders) : undefined;
  await writeFile(join(run.home, "settings"), await settingsFor(url, local, parts.pin));
  // `template` is where hooks would come from.
  const options = ["--bare", "--depth=1", "--single-branch", "--no-tags", "--template=", "--quiet"];
  if (branch !== undefined) options.push(`--branch=${branch}`);
  // `strict`: the folder that was checked, and none whose name is like it.
  if (local !== undefined) options.push("--upload-pack=git-upload-pack --strict");
  const from = local === undefined ? url.href : pathToFileURL(local).href;
  await git(["clone", ...options, "--", from, "repository"], run, signal);
}

/** All that git knows of settings. One way in, to the addresses that were checked, without redirects, proxies or anybody's password. */
async function settingsFor(url: URL, local: string | undefined, pin: Pin): Promise<string> {
  const scheme = url.protocol.slice(0, -1);
  const lines = [
    `[protocol]\n\tallow = never`,
    `[protocol "${scheme}"]\n\tallow = always`,
    "[core]\n\thooksPath = /dev/null\n\taskPass =\n\tfsmonitor = false",
    // Large repositories stay far below the limit on memory: packs are mapped in parts, large files not held as a whole.
    "[core]\n\tpackedGitWindowSize = 32m\n\tpackedGitLimit = 256m\n\tbigFileThreshold = 64m",
    "[credential]\n\thelper =",
    "[submodule]\n\trecurse = false",
    "[gc]\n\tauto = 0",
    "[transfer]\n\tbundleURI = false",
    "[pack]\n\tthreads = 1",
  ];
  if (local !== undefined) lines.push(`[safe]\n\tdirectory = ${quoted(local)}`);
  else {
    const { addresses, port } = await pin(url);
    lines.push(
      `[http]\n\tfollowRedirects = false\n\tproxy =\n\tlowSpeedLimit = 1000\n\tlowSpeedTime = 60\n\tcurloptResolve = ${quoted(`${url.hostname}:${port}:${addresses.join(",")}`)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** A value as git's settings hold it: it cannot end early, whatever it holds. */
const quoted = (value: string): string => `"${value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"`;

interface RepositoryFile {
  readonly path: string;
  /** Git's name of the content. */
  readonly content: string;
  readonly size: number;
}

/** Documents in the order of their paths; whatever is hidden is skipped. */
async function filesOf(run: GitParts, { folder }: GitAddress, signal: AbortSignal): Promise<readonly RepositoryFile[]> {
  const below = folder === "" ? [] : ["--", `${folder}/`];
  const listed = (await git([...repository, "ls-tree", "-r", "-z", "-l", "--full-tree", "HEAD", ...below], run, signal)).toString("utf8");
  const files = listed.split("\0").flatMap((line): RepositoryFile[] => {
    const [, mode = "", content = "", size = "", path = ""] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    const visible = path.split("/").every((part) => !part.startsWith("."));
    return FILES.has(mode) && visible && documentNames.test(path) ? [{ path: path.normalize("NFC"), content, size: Number(size) }] : [];
  });
  if (folder !== "" && listed === "") throw new AppError("SOURCE_UNREACHABLE", "The branch has no such folder.");
  return files;
}

async function read(run: GitParts, { content, size }: Pick<RepositoryFile, "content" | "size">, signal: AbortSignal): Promise<ReadItem> {
  checkSize(size);
  const bytes = await git([...repository, "cat-file", "blob", content], run, signal);
  if (bytes.subarray(0, LFS.length).equals(LFS))
    throw new AppError("DOCUMENT_UNREADABLE", "Its content lies in Git LFS, which is not fetched.");
  return { status: "read", bytes };
}
