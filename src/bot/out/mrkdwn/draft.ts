import { byFences } from "./parse.ts";

// A construct that stays open longer than this is taken for ordinary characters, so that nothing is held back for ever.
const longestHold = 400;
// A last word is held back up to this length; one without anything suspicious in it up to that.
const longestWord = 2_048;
const longestPlainWord = 80;
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

/**
 * The same for a place where nothing can be taken back: what comes out of a longer text always begins with what came out of a shorter
 * one, as far as that can be known. So whatever is open is held back instead of closed, and a table until all of it is there.
 */
export function steadyMarkdown(text: string): string {
  // The last line of ticks may be the end of a fence, or only its beginning.
  const settled = text.replace(/(^|\n)[ \t>]*(?:`+|~+)[ \t]*$/, "$1");
  const pieces = byFences(settled);
  const last = pieces.at(-1);
  if (last?.fenced) return last.text.includes("\n") ? settled : settled.slice(0, settled.length - last.text.length);
  const prose = last?.text ?? "";
  const start = blockStart(prose);
  const block = holdOpen(holdBack(holdTable(prose.slice(start)), withoutLastWord)).replace(unbegun, "");
  return settled.slice(0, settled.length - prose.length + start) + block;
}

// A last line that is only the beginning of one: marks, a box to tick; or a heading, which is bold as a whole.
const unbegun = /(?:^|\n)[ \t]*(?:#{1,6} [^\n]*|(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)+(?:\[[ xX]?\]?[ \t]*)?)$/;

/** The block without the table at its end, or the line that may be a table's first. */
function holdTable(block: string): string {
  const header = /(?:^|\n)[^\n]*\|/.exec(block);
  if (!header) return block;
  const at = header.index + (header[0].startsWith("\n") ? 1 : 0);
  return /^[^\n]*(?:\n[ \t|:-]*(?:$|\n))?/.exec(block.slice(at))?.[0] === block.slice(at) || tableBegins.test(block.slice(at))
    ? block.slice(0, at)
    : block;
}

const tableBegins = /^[^\n]*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n/;

/** The block up to the first mark that is still open, unless it has been open for so long that it is no mark. */
function holdOpen(block: string): string {
  const { marks, code } = openMarks(block);
  const open = [...marks, ...(code ? [code] : [])].find(({ at }) => block.length - at <= longestHold);
  return open ? block.slice(0, open.at).trimEnd() : block;
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

function holdBack(block: string, lastWord = withoutGrowing): string {
  let text = block;
  // A table shows as one only from its second line on.
  if (/^\s*\|/.test(text) && !tableBegins.test(text)) return "";
  // A last line of marks alone may become a list item, a rule, a heading's underline or a fence; what stands before it is complete.
  const whole = text.replace(/(^|\n)[ \t]*[-=|*_#>~`+:.\d ()]+$/, "");
  const partial = whole === text;
  text = whole;
  text = withoutOpenBracket(text);
  // The last word may still grow into an address, or be half of a mark or an entity; without it a bracket may be open again.
  if (partial) text = withoutOpenBracket(lastWord(text));
  return text.replace(/[*_~`!\\]+$/, "");
}

/** The text without a last word that may become something else. */
function withoutGrowing(text: string): string {
  const word = /\S+$/.exec(text)?.[0] ?? "";
  return /[.:/@&\\#]|www/i.test(word) && word.length <= longestWord ? text.slice(0, text.length - word.length) : text;
}

/** The text without its last word, since any may become an address. Chinese and Japanese part their words by punctuation. */
function withoutLastWord(text: string): string {
  const loose = withoutGrowing(text);
  const word = /[^\s\u3000-\u303F\uFF01-\uFF0D\uFF1A-\uFF1F]+$/.exec(loose)?.[0] ?? "";
  return /[<>`*_~[\]!|\uFF0E]/.test(word) || word.length <= longestPlainWord ? loose.slice(0, loose.length - word.length) : loose;
}

function withoutOpenBracket(text: string): string {
  const open = openBracket(text);
  return open !== undefined && text.length - open <= longestHold ? text.slice(0, open) : text;
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
  const { marks, code } = openMarks(text);
  const closing = marks.map(({ mark }) => mark).reverse();
  if (code) return `${text.trimEnd()}${text.slice(code.at + code.mark.length).trim() === "" ? "" : code.mark}${closing.join("")}`;
  if (marks.length === 0 || marks.length > mostOpen) return text;
  return text.trimEnd() + closing.join("");
}

interface OpenMark {
  readonly mark: string;
  readonly at: number;
}

/** The marks of style that have no partner yet, outermost first, and the code span that has no end. */
function openMarks(text: string): { readonly marks: readonly OpenMark[]; readonly code?: OpenMark } {
  const marks: OpenMark[] = [];
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
      if (end === undefined) return { marks, code: { mark, at } };
      at = end;
      continue;
    }
    const before = text[at - 1] ?? " ";
    const after = text[at + mark.length] ?? " ";
    if (marks.at(-1)?.mark === mark && !/\s/.test(before)) marks.pop();
    else if (!/\s/.test(after) && !/[\p{L}\p{N}]/u.test(before)) marks.push({ mark, at });
    at += mark.length;
  }
  return { marks };
}

function closingTicks(text: string, from: number, ticks: string): number | undefined {
  for (const match of text.slice(from).matchAll(/`+/g)) if (match[0] === ticks) return from + match.index + ticks.length;
  return undefined;
}
