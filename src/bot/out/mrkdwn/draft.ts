import { byFences } from "./parse.ts";

// A construct that stays open longer than this is taken for ordinary characters, so that nothing is held back for ever.
const longestHold = 400;
// More styles within each other than this are no styles but stray stars.
const mostOpen = 6;

/**
 * The beginning of a text that is still being written, as Markdown that can be shown: whatever may still turn into something else
 * (an address, a link, a marker, a table's first line, a mark at the very end) is held back, whatever is open is closed.
 */
export function draftMarkdown(text: string): string {
  const pieces = byFences(text);
  const last = pieces.at(-1);
  if (last?.fenced) return text.replace(/\n[ \t>]*(?:`{1,2}|~{1,2})$/, "\n");
  const prose = last?.text ?? "";
  const start = blockStart(prose);
  const block = holdBack(prose.slice(start));
  return text.slice(0, text.length - prose.length + start) + closeMarks(block);
}

/** Where the last block begins: after a blank line, or at a line that begins a list item, heading or quote. */
function blockStart(prose: string): number {
  const blank = Math.max(0, ...Array.from(prose.matchAll(/\n[ \t]*\n/g), (match) => match.index + match[0].length));
  const begins = Array.from(
    prose.slice(blank).matchAll(/\n(?=[ \t]*(?:[-*+] |\d{1,9}[.)] |#{1,6} |>))/g),
    (match) => blank + match.index + 1,
  );
  return begins.at(-1) ?? blank;
}

function holdBack(block: string): string {
  let text = block;
  // A table shows as one only from its second line on.
  if (/^\s*\|/.test(text) && !/^[^\n]*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n/.test(text)) return "";
  // A last line of marks alone may become a list item, a rule, a heading's underline or a fence; what stands before it is complete.
  const whole = text.replace(/(^|\n)[ \t]*[-=|*_#>~`+:.\d ()]+$/, "");
  const partial = whole === text;
  text = whole;
  const open = openBracket(text);
  if (open !== undefined && text.length - open <= longestHold) text = text.slice(0, open);
  // The last word may still grow into an address, or be half of a mark or an entity.
  const word = partial ? (/\S+$/.exec(text)?.[0] ?? "") : "";
  if (/[.:/@&\\#]|www/i.test(word) && word.length <= 2_048) text = text.slice(0, text.length - word.length);
  return text.replace(/[*_~`!\\]+$/, "");
}

/** Where a bracket opens that is not closed yet: `[label`, `[label](address`, `<address`. */
function openBracket(text: string): number | undefined {
  const prose = text.replace(/(`+)[^`]+\1/g, (code) => " ".repeat(code.length));
  const angle = /<[^<>\n]*$/.exec(prose)?.index;
  const label = /!?\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)*$/.exec(prose)?.index;
  const target = /!?\[[^[\]]*\](?:\([^()\n]*|\[[^\]\n]*|)$/.exec(prose)?.index;
  const open = [angle, label, target].filter((at) => at !== undefined);
  return open.length > 0 ? Math.min(...open) : undefined;
}

/** Closes code, bold, italic and strike-through that are still open at the end. */
function closeMarks(text: string): string {
  const open: string[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    if (char === "\\") {
      at += 2;
      continue;
    }
    const mark = /^(?:`+|\*{1,3}|_{1,3}|~~)/.exec(text.slice(at, at + 8))?.[0];
    if (!mark) {
      at++;
      continue;
    }
    if (char === "`") {
      const end = closingTicks(text, at + mark.length, mark);
      if (end === undefined) return `${trimOpen(text)}${tail(text, at, mark)}${[...open].reverse().join("")}`;
      at = end;
      continue;
    }
    const before = text[at - 1] ?? " ";
    const after = text[at + mark.length] ?? " ";
    if (open.at(-1) === mark && !/\s/.test(before)) open.pop();
    else if (!/\s/.test(after) && !/[\p{L}\p{N}]/u.test(before)) open.push(mark);
    at += mark.length;
  }
  if (open.length === 0 || open.length > mostOpen) return text;
  return trimOpen(text) + [...open].reverse().join("");
}

const trimOpen = (text: string): string => text.trimEnd();

/** What closes a code span; nothing when it has no text yet. */
const tail = (text: string, at: number, ticks: string): string => (text.slice(at + ticks.length).trim() === "" ? "" : ticks);

function closingTicks(text: string, from: number, ticks: string): number | undefined {
  for (const match of text.slice(from).matchAll(/`+/g)) if (match[0] === ticks) return from + match.index + ticks.length;
  return undefined;
}
