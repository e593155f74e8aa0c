import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Memory for JavaScript objects, in MiB; Node ends the process beyond it. */
const HEAP_MIB = 768;

/** Processor seconds after which the system ends the process even if nobody watches it any more. */
const CPU_SECONDS = 600;

/** How a process is started that reads files of strangers. */
export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command that runs a compiled module with as few rights as Node and the shell can give: it may read the program's own code and
 * packages and nothing else, write nothing, start no process and no thread; core dumps and new files are forbidden by the system as well.
 */
export function sandboxed(entry: URL): SandboxedCommand {
  const program = realpathSync(fileURLToPath(entry));
  const node = [
    process.execPath,
    process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission",
    ...readable(program).map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${HEAP_MIB}`,
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    program,
  ];
  if (!existsSync(SHELL)) return { command: process.execPath, args: node.slice(1) };
  return { command: SHELL, args: ["-c", `ulimit -c 0; ulimit -f 0; ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`, ...node] };
}

const SHELL = "/bin/sh";

/** The code itself and the packages it uses, wherever they are installed, behind a link too. Not the folder around them: data may lie there. */
function readable(program: string): string[] {
  const above: string[] = [];
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) above.push(folder);
  const root = above.find((folder) => existsSync(join(folder, "package.json")));
  if (!root) return [join(dirname(program), "*")];
  const packages = above
    .map((folder) => join(folder, "node_modules"))
    .filter((folder) => existsSync(folder))
    // A linked folder is asked for by both of its paths.
    .flatMap((folder) => [...new Set([folder, realpathSync(folder)])]);
  const places = new Set([...packages, ...packages.map((folder) => realpathSync(folder))]);
  return [join(root, "package.json"), join(root, "dist", "*"), ...[...places].map((folder) => join(folder, "*"))];
}
