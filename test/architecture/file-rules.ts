import { targetOf } from "./import-rules.ts";
import type { SourceFile } from "./source-file.ts";

/** Longest file, in lines. */
const MAX_LINES = 300;

/** Names that say nothing about what is inside. */
const vague = /^(.*-)?(utils?|helpers?|common|types|managers?)$/;

/** Files that are too long. */
export const tooLong = (files: readonly SourceFile[]): string[] =>
  files.filter((file) => file.lines > MAX_LINES).map((file) => `${file.path}: ${file.lines} lines`);

/** Files and folders with a name that says nothing. */
export const vagueNames = (files: readonly SourceFile[]): string[] =>
  files.map((file) => file.path).filter((path) => path.split("/").some((part) => vague.test(part.replace(/(\.d)?\.[a-z]+$/, ""))));

/** Everything in src but its clock that reads the time. */
export const clockViolations = (files: readonly SourceFile[]): string[] => doors(files, "src/core/clock.ts", (file) => file.readsTime);

/** Everything in src but the configuration that reads the environment. */
export const environmentViolations = (files: readonly SourceFile[]): string[] =>
  doors(files, "src/config.ts", (file) => file.readsEnvironment);

/** Tool files without a test of their own, or that their plugin does not offer. `tests` are the paths of all test files. */
export function uncoveredTools(files: readonly SourceFile[], tests: readonly string[]): string[] {
  return files.flatMap(({ path }) => {
    const [, plugin, tool] = /^src\/plugins\/([^/]+)\/tools\/([^/]+)\.ts$/.exec(path) ?? [];
    if (!plugin || !tool) return [];
    const entry = `src/plugins/${plugin}/plugin.ts`;
    const offered = files.some((file) => file.path === entry && file.imports.some((specifier) => targetOf(entry, specifier) === path));
    return [
      ...(tests.includes(`test/plugins/${plugin}/tools/${tool}.test.ts`) ? [] : [`${path} has no test`]),
      ...(offered ? [] : [`${path} is not offered by ${entry}`]),
    ];
  });
}

const doors = (files: readonly SourceFile[], door: string, reads: (file: SourceFile) => readonly string[]): string[] =>
  files
    .filter(({ path }) => path.startsWith("src/") && path !== door)
    .flatMap((file) => reads(file).map((what) => `${file.path}: ${what}`));
