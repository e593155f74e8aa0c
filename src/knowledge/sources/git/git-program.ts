import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";

/** Where packages put it; the search path of whoever started us is not asked. */
const PLACES = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"];
/** First version to which an address can be given that was looked up before (http.curloptResolve). */
const OLDEST = "2.37";
/** First version that asks whose a repository of this machine is before it serves it (CVE-2024-32465 and its like). */
const OLDEST_LOCAL = "2.39.4";
/** Longest that one call may take, and the processor time it may use, in seconds. */
const CALL_MS = 15 * 60_000;
const CPU_SECONDS = 600;
/** No file that it writes may be larger: the pack of a repository holds all of its latest state. In the shell's blocks of 512 bytes. */
const MOST_BLOCKS = (1024 * 1024 * 1024) / 512;
/**
 * Memory that each of its processes may take, in the shell's blocks of 1 KiB: 2 GiB. A small pack can hold an object of any size, and objects
 * that are no files are held as a whole. Systems that know no such limit (macOS) run without it.
 */
const MOST_MEMORY_KIB = 2 * 1024 * 1024;
/** Most that it may answer, in bytes. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** Its own words are looked at for what went wrong, and never shown: a server may have written them. */
const LONGEST_COMPLAINT = 16 * 1024;

export interface GitParts {
  readonly clock: Clock;
  /** A folder of its own: its settings, and nothing else of anybody's, are read from there. */
  readonly home: string;
  /** Another one only in tests. */
  readonly program?: string | undefined;
}

/**
 * Runs git with as little as the shell can give it: no environment of ours, no settings but those in its home, no questions asked, limits on
 * time, on memory and on what it writes.
 * @throws AppError SOURCE_UNREACHABLE in words for people; the signal's reason
 */
export async function git(args: readonly string[], { clock, home, program }: GitParts, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const found = program ?? PLACES.find((place) => existsSync(place));
  if (found === undefined || !existsSync(found)) throw unreachable(MISSING);
  const memory = `ulimit -v ${MOST_MEMORY_KIB} 2>/dev/null || :`;
  const limits = `ulimit -c 0; ulimit -f ${MOST_BLOCKS}; ulimit -t ${CPU_SECONDS}; ${memory}; exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", limits, found, ...args], {
    cwd: home,
    // A group of its own: git has helpers of its own, which must end with it.
    detached: true,
    env: {
      ...{ HOME: home, PATH: "/usr/bin:/bin:/usr/local/bin", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: `${home}/settings` },
      ...{ GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", GIT_LFS_SKIP_SMUDGE: "1", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const answer: Buffer[] = [];
  let complaint = "";
  let received = 0;
  child.stdout.on("data", (data: Buffer) => {
    received += data.length;
    if (received > LONGEST_ANSWER) end();
    else answer.push(data);
  });
  child.stderr.on("data", (data: Buffer) => {
    if (complaint.length < LONGEST_COMPLAINT) complaint += data.toString("utf8");
  });
  const over = new AbortController();
  const late = clock.sleep(CALL_MS, AbortSignal.any([signal, over.signal])).then(
    () => end(),
    () => signal.aborted && end(),
  );
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once("close", resolve);
      child.once("error", () => resolve(null));
    });
    signal.throwIfAborted();
    if (code !== 0 || received > LONGEST_ANSWER) throw unreachable(reasonOf(complaint));
    return Buffer.concat(answer);
  } finally {
    over.abort();
    end();
    await late;
  }
}

const install = (version: string): string => `install it, version ${version} or newer.`;
const MISSING = `git is not installed where Footnote runs: ${install(OLDEST)}`;

/**
 * @param local whether a repository of this machine is to be read, which wants a newer one
 * @throws AppError SOURCE_UNREACHABLE when git is missing or too old
 */
export async function requireGit(parts: GitParts, local: boolean, signal: AbortSignal): Promise<void> {
  const answer = (await git(["--version"], parts, signal)).toString("utf8");
  const version = /\d+(?:\.\d+)+/.exec(answer)?.[0] ?? "0";
  if (isOlder(version, OLDEST)) throw unreachable(`git is too old where Footnote runs (${version}): ${install(OLDEST)}`);
  if (local && isOlder(version, OLDEST_LOCAL))
    throw unreachable(`git is too old to read repositories of this machine (${version}): ${install(OLDEST_LOCAL)}`);
}

/** Compares versions by their first three numbers. */
function isOlder(version: string, than: string): boolean {
  const [has, wants] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const at = [0, 1, 2].find((part) => (has[part] ?? 0) !== (wants[part] ?? 0));
  return at !== undefined && (has[at] ?? 0) < (wants[at] ?? 0);
}

const unreachable = (why: string): AppError => new AppError("SOURCE_UNREACHABLE", why);

const reasons: readonly (readonly [complaint: RegExp, reason: string])[] = [
  [/remote branch .* not found|couldn't find remote ref/i, "The repository has no such branch."],
  [
    /could not read Username|Authentication failed|terminal prompts disabled|HTTP Basic|returned error: 40[13]/i,
    "The repository wants a log-in, which Footnote has none of. Mirror it to this machine instead (docs/sources.md).",
  ],
  [/not found|does not appear to be a git repository|does not exist/i, "There is no such repository."],
  [/redirect|returned error: 30\d/i, "The repository has moved: give its present address."],
  [/dubious ownership/i, "The repository belongs to another user of this machine."],
  [
    /file size limit|file too large|write error|out of memory|mmap failed|index-pack (?:failed|died)/i,
    "The repository is too large, or could not be kept.",
  ],
];

const reasonOf = (complaint: string): string =>
  reasons.find(([pattern]) => pattern.test(complaint))?.[1] ?? "The repository could not be fetched.";
