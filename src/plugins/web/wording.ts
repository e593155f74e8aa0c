/** Longest piece of a model's words in an activity line, in characters. */
const SHOWN = 80;

/** Words from outside for a line of ours: in quotes, on one line, shortened. Takes anything, since a model may send anything. */
export function quoted(words: unknown): string {
  const letters = [
    ...String(words ?? "")
      .replace(/\s+/g, " ")
      .trim(),
  ];
  return `"${letters.length > SHOWN ? `${letters.slice(0, SHOWN - 1).join("")}…` : letters.join("")}"`;
}
