import { angleAsText, parseAngle } from "./angle.ts";
import { emojiCharacter } from "./emoji.ts";
import { unescapeText } from "./escapes.ts";
import type { Inline } from "./nodes.ts";

const marks: Readonly<Record<string, "bold" | "italic" | "strike">> = { "*": "bold", _: "italic", "~": "strike" };
const wordCharacter = /[\p{L}\p{N}]/u;
const emojiForm = /:([a-z0-9_+-]+):(?::skin-tone-\d:)?/y;

/**
 * Reads one line. A mark opens after a space or punctuation and closes before one, as in Slack, so that snake_case and 2*3*4 stay.
 * Linear in the line's length: once a mark finds no end, none of its kind is looked for again.
 * @param within marks that are open around this text and cannot open again
 */
export function parseInline(source: string, within = ""): Inline[] {
  const found: Inline[] = [];
  const hopeless = new Set<string>();
  let plainFrom = 0;
  let at = 0;

  const take = (node: Inline, end: number): void => {
    if (at > plainFrom) found.push({ type: "text", text: unescapeText(source.slice(plainFrom, at)) });
    found.push(node);
    at = end;
    plainFrom = end;
  };

  while (at < source.length) {
    const character = source[at] as string;
    const mark = marks[character];
    if ((character === "`" || character === "<") && !hopeless.has(character)) {
      const end = source.indexOf(character === "<" ? ">" : "`", at + 1);
      if (end < 0) hopeless.add(character);
      const content = source.slice(at + 1, Math.max(end, at + 1));
      const node = !content ? undefined : character === "<" ? parseAngle(content) : codeOf(content);
      if (node) {
        take(node, end + 1);
        continue;
      }
    } else if (character === ":") {
      emojiForm.lastIndex = at;
      const match = emojiForm.exec(source);
      const shown = match?.[1] && emojiCharacter(match[1]);
      if (match?.[1] && shown) {
        take({ type: "emoji", name: match[1], character: shown }, at + match[0].length);
        continue;
      }
    } else if (mark && !within.includes(character) && !hopeless.has(character) && canOpen(source, at)) {
      const end = findClose(source, at + 1, character);
      if (end < 0) hopeless.add(character);
      else {
        take({ type: mark, children: parseInline(source.slice(at + 1, end), within + character) }, end + 1);
        continue;
      }
    }
    at += 1;
  }
  if (at > plainFrom) found.push({ type: "text", text: unescapeText(source.slice(plainFrom, at)) });
  return found;
}

const codeOf = (content: string): Inline => ({
  type: "code",
  text: unescapeText(content.replace(/<([^<>\n]+)>/g, (whole, inner: string) => (parseAngle(inner) ? angleAsText(inner) : whole))),
});

function canOpen(source: string, at: number): boolean {
  const before = source[at - 1];
  const after = source[at + 1];
  return (before === undefined || !wordCharacter.test(before)) && after !== undefined && !/\s/.test(after) && after !== source[at];
}

/** Where the mark ends, stepping over code and angle forms, in which marks mean nothing. */
function findClose(source: string, from: number, mark: string): number {
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === "`" || character === "<") {
      const end = source.indexOf(character === "<" ? ">" : "`", at + 1);
      if (end > 0) at = end;
    } else if (character === mark && at > from && !/\s/.test(source[at - 1] as string)) {
      const after = source[at + 1];
      if (after === undefined || (!wordCharacter.test(after) && after !== mark)) return at;
    }
  }
  return -1;
}
