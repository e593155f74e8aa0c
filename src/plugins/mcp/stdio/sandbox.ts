import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/errors.ts";
import type { SandboxRules, StdioTransport } from "../server.ts";

/** A command line and the whole environment of the process that it starts. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where programs are looked for inside, and what a home folder is: an empty one in memory. */
const PATH = "/usr/local/bin:/usr/bin:/bin";
const HOME = "/tmp/home";
const SHELL = "/bin/sh";

/** Folders of the system that hold programs and libraries, none of which is anybody's data. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Single files that programs need to find names, times and certificates. */
const SETTINGS = [
  ...["/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/nsswitch.conf"],
  ...["/etc/passwd", "/etc/group", "/etc/ssl", "/etc/ca-certificates", "/etc/pki", "/etc/mime.types"],
];
/** Only with a network. */
const NETWORK_SETTINGS = ["/etc/resolv.conf", "/etc/hosts"];

/** Largest file it may write, in blocks of 512 bytes: 256 MiB. */
const FILE_BLOCKS = 524_288;
/** Bytes of the folder in memory that it may write to. */
const SCRATCH_BYTES = 256 * 1024 * 1024;
/** Open files. */
const FILES = 1_024;
/** Processes and threads, far above what the watch allows: the watch is slower than a flood. Shells name this limit by different letters. */
const TASKS = 4_096;
const boundTasks = `ulimit -p ${TASKS} 2>/dev/null || ulimit -u ${TASKS} 2>/dev/null`;

/**
 * How a server's program is started: inside of bubblewrap, which hides the machine's processes, files and network from it and ends it
 * with the bot; or bare, when the operator has said so. The environment is the configured one and nothing of ours.
 * @throws AppError MCP_SANDBOX_MISSING where there is no sandbox and none was waived
 */
export function launchOf(transport: StdioTransport, sandbox: string | undefined = findSandbox()): Launch {
  const { command, args, env, sandbox: rules } = transport;
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.reveal()]));
  if (!rules) return { command, args, env: { PATH, HOME: "/nonexistent", LANG: "C.UTF-8", ...own } };
  if (!sandbox) throw new AppError("MCP_SANDBOX_MISSING");
  const inside = { PATH, HOME, TMPDIR: "/tmp", LANG: "C.UTF-8", ...own };
  // The environment of bubblewrap itself is what its child gets: an argument would show the values to every process of the machine.
  return { command: sandbox, args: [...walls(transport, rules), "--", ...limited(command, args)], env: inside };
}

function walls({ command }: StdioTransport, { network, read, write }: SandboxRules): string[] {
  const settings = network ? [...SETTINGS, ...NETWORK_SETTINGS] : SETTINGS;
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", ...(network ? ["--share-net"] : [])],
    ...SYSTEM.flatMap(mirrored),
    ...settings.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--size", String(SCRATCH_BYTES), "--tmpfs", "/tmp", "--dir", HOME],
    // The program alone: around one in somebody's home lies the home.
    ...[command, ...read].flatMap((path) => ["--ro-bind-try", path, path]),
    ...write.flatMap((path) => ["--bind", path, path]),
    ...["--chdir", write[0] ?? HOME],
  ];
}

/** On many systems /bin is a link into /usr, and stays one inside. */
function mirrored(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/**
 * What the system itself holds against a process: no core dumps, no huge files, no flood of processes (not for root, whom the system lets
 * start any number). Memory and processes are watched from outside as well.
 */
const limited = (command: string, args: readonly string[]): string[] => [
  ...[SHELL, "-c", `ulimit -c 0; ulimit -f ${FILE_BLOCKS}; ulimit -n ${FILES}; ${boundTasks}; exec "$0" "$@"`, command],
  ...args,
];

let found: { readonly path: string | undefined } | undefined;

/** Where bubblewrap is, if it works here: some systems keep it from making namespaces. */
export function findSandbox(): string | undefined {
  found ??= { path: tried() };
  return found.path;
}

function tried(): string | undefined {
  const path = PATH.split(":")
    .map((folder) => join(folder, "bwrap"))
    .find((candidate) => existsSync(candidate));
  if (!path) return undefined;
  const walls = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  return spawnSync(path, [...walls, SHELL, "-c", "true"], { env: {}, stdio: "ignore", timeout: 5_000 }).status === 0 ? path : undefined;
}
