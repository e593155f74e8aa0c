import { toLines } from "./blocks.ts";
import { citedRuns, type InlineContext } from "./inline.ts";
import type { Part } from "./run.ts";

// A line that a Markdown parser can only take for words: it begins like words and holds nothing but markers of sources in brackets.
const line =
  /^(?!\d{1,9}[.)](?:\s|$))[\p{L}\p{N}"'(\u2018\u201C\u00AB](?:[^*_~`<>\\&|[\]\n]|\[\d{1,4}\](?![([:]))*(?<!\s)$|^\[\d{1,4}\](?![([:])(?:[^*_~`<>\\&|[\]\n]|\[\d{1,4}\](?![([:]))*(?<!\s)$/u;

/** Text without any Markdown as parts, just as the parser would give them; undefined when it has to be asked. Most of an answer is such. */
export function plainParts(text: string, context: InlineContext): Part[] | undefined {
  const paragraphs = text
    .trimEnd()
    .replace(/^\n+/, "")
    .split(/\n[ \t]*\n(?:[ \t]*\n)*/);
  if (!paragraphs.every((paragraph) => paragraph.split("\n").every((one) => line.test(one)))) return undefined;
  return paragraphs.map((paragraph, index) => ({ kind: "text", gap: index > 0, lines: toLines(citedRuns(paragraph, {}, context)) }));
}
