/** Longest piece of a query shown in an activity line, in characters. */
const SHOWN = 80;

/** A model's words for an activity line: in quotes, on one line, shortened. Takes anything, since a model may send anything. */
export function quoted(words: unknown): string {
  const line = oneLine(String(words ?? ""));
  const letters = [...line];
  return `"${letters.length > SHOWN ? `${letters.slice(0, SHOWN - 1).join("")}…` : line}"`;
}

/** Text from outside on one line, so that it cannot pass for a line of ours. */
export const oneLine = (words: string): string => words.replace(/\s+/g, " ").trim();
