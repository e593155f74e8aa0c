import type { Principal } from "../../../core/principal.ts";

/** What a principal looks like. Nothing else gets into a filter, so that no name can end a string and begin another condition. */
const principal = /^(?:everyone|(?:channel|person):[A-Za-z0-9_-]{1,64})$/;

/** The filter that a query's token enforces. Undefined when nobody is left to read: then nothing may be found. */
export function grantFilter(principals: readonly Principal[]): string | undefined {
  const known = [...new Set(principals)].filter((each) => principal.test(each)).sort();
  return known.length === 0 ? undefined : `grants IN [${known.map((each) => `"${each}"`).join(", ")}]`;
}
