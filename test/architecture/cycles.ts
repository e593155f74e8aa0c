import { targetOf } from "./import-rules.ts";
import type { SourceFile } from "./source-file.ts";

/** Import cycles, types included, each as "a -> b -> a"; one for every edge that closes a circle on a depth-first walk. */
export function cycles(files: readonly SourceFile[]): string[] {
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.imports.filter((specifier) => specifier.startsWith(".")).map((specifier) => targetOf(file.path, specifier)),
    ]),
  );
  const found: string[] = [];
  const done = new Set<string>();

  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) return void found.push([...trail.slice(start), path].join(" -> "));
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}
