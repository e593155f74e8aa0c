import { createHash } from "node:crypto";

/** Names of the statements that connections keep parsed, by their text. */
const names = new Map<string, string>();

/**
 * A statement that every connection parses, and after a few times plans, only once: for those on the path of each answer, whose planning
 * takes longer than running them. Not for statements whose plan depends on their parameters, such as searches, nor for `SELECT *`.
 * @param text the same each time it runs
 */
export function prepared(text: string): string {
  names.set(text, `footnote_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`);
  return text;
}

/** Under which name a connection keeps it; the same text has the same name everywhere, also behind a pooler. Undefined for most. */
export const preparedName = (text: string): string | undefined => names.get(text);

/** Whether one database's connections keep statements. A pooler in between may not: then it ends for all of them. */
export interface Preparing {
  on: boolean;
}
