/** Longest piece of a query shown in an activity line, in characters. */
const SHOWN = 80;

/** A model's words for an activity line: in quotes, on one line, shortened. Takes anything, since a model may send anything. */
export function quoted(words: unknown): string {
  const line = String(words ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...line];
  return `"${letters.length > SHOWN ? `${letters.slice(0, SHOWN - 1).join("")}…` : line}"`;
}
