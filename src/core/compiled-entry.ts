/**
 * The address of a module that runs in a thread or process of its own. Threads cannot read TypeScript, so when the caller
 * itself runs from source (in tests) the entry is taken from the compiled tree in dist/, which `npm test` builds first.
 * @param relative path of the entry from the caller, ending in .ts
 * @param from the caller's import.meta.url
 */
export function compiledEntry(relative: string, from: string): URL {
  const url = new URL(relative.replace(/\.ts$/, ".js"), from);
  if (from.endsWith(".js")) return url;
  const root = new URL("../../", import.meta.url);
  return new URL(`dist/${url.href.slice(root.href.length)}`, root);
}
