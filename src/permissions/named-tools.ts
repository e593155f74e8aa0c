import { canonicalName } from "./tool-name.ts";

/** The part of a tool by which people name it. */
export interface NamedTool {
  readonly name: string;
  readonly annotations?: { readonly title?: string };
}

/** What somebody's words stand for. */
export interface NamedTools<T> {
  readonly tools: readonly T[];
  /** Words that name no tool, each with the name that may have been meant. */
  readonly unknown: readonly { readonly words: string; readonly suggestion?: string }[];
}

/** Longest tool name in words; more words are never tried as one name. */
const longestName = 8;

/**
 * Reads names of tools: separated by commas, "and" or blanks, in any spelling that `canonicalName` makes equal, titles too. Of several
 * readings the longest name counts, so that "web search" is one tool.
 */
export function namedTools<T extends NamedTool>(text: string, all: readonly T[]): NamedTools<T> {
  const byName = new Map<string, T>();
  for (const tool of all) byName.set(canonicalName(tool.annotations?.title ?? tool.name), tool);
  // A name counts before another tool's title.
  for (const tool of all) byName.set(canonicalName(tool.name), tool);
  const tools = new Set<T>();
  const unknown: { words: string; suggestion?: string }[] = [];

  for (const piece of text.split(/\s*,\s*|\s+and\s+/i)) {
    const words = piece.split(/\s+/).filter((word) => canonicalName(word) !== "");
    let missed: string[] = [];
    const report = () => {
      if (missed.length > 0) unknown.push(unknownName(missed.join(" "), byName));
      missed = [];
    };
    for (let at = 0; at < words.length; ) {
      const length = lengthOfName(words.slice(at, at + longestName), byName);
      const found = byName.get(canonicalName(words.slice(at, at + length).join(" ")));
      if (found) {
        report();
        tools.add(found);
      } else missed.push(words[at] ?? "");
      at += Math.max(1, length);
    }
    report();
  }
  return { tools: [...tools], unknown };
}

/** How many of the words, from the first on, are one name; 0 when none. */
function lengthOfName(words: readonly string[], byName: ReadonlyMap<string, unknown>): number {
  for (let length = words.length; length > 0; length--) {
    if (byName.has(canonicalName(words.slice(0, length).join(" ")))) return length;
  }
  return 0;
}

function unknownName(words: string, byName: ReadonlyMap<string, NamedTool>): { words: string; suggestion?: string } {
  const typed = canonicalName(words);
  const isTitle = (name: string) => canonicalName(byName.get(name)?.name ?? "") !== name;
  const names = [...byName.keys()];
  const found =
    closest(
      typed,
      names.filter((name) => !isTitle(name)),
    ) ?? closest(typed, names.filter(isTitle));
  const meant = found === undefined ? undefined : byName.get(found)?.name;
  return { words, ...(meant !== undefined && { suggestion: meant }) };
}

/** The one of `names` that `typed` probably means: the only one that begins with it or holds it, or the nearest by typing errors. */
export function closest(typed: string, names: readonly string[]): string | undefined {
  if (typed === "") return undefined;
  const holding = names.filter((name) => name.startsWith(typed) || `_${name}_`.includes(`_${typed}_`));
  if (holding.length === 1) return holding[0];
  const [best] = names.map((name) => ({ name, errors: typingErrors(typed, name) })).sort((a, b) => a.errors - b.errors);
  // A third of the letters wrong is another word.
  return best && best.errors <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** Letters to insert, leave out or replace to turn one word into the other (Levenshtein). */
function typingErrors(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
