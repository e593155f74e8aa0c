import type { Library } from "../../src/knowledge/library.ts";
import type { PluginServices } from "../../src/plugins/index.ts";

/** What this project's plugins are built from, with no way outside. */
export const servicesWith = (library: Library): PluginServices => ({
  library,
  safeFetch: () => Promise.reject(new Error("There is no network in this test.")),
  pageReader: { extract: () => Promise.reject(new Error("There are no pages in this test.")) },
});
