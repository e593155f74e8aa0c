import { countTokens } from "../../core/tokens.ts";
import type { Block } from "./extract/document.ts";

/** Cuts an oversized text into pieces of at most `limit` tokens, at the best places its kind offers. */
export function split(text: string, kind: Block["kind"], limit: number): string[] {
  if (countTokens(text) <= limit) return [text];
  if (kind === "table") return splitTable(text, limit);
  if (kind === "code") return splitCode(text, limit);
  return pack(kind === "list" ? lines(text) : sentences(text), limit).map((piece) => piece.trim());
}

/** Every piece repeats the header row, so that each can be read alone. */
function splitTable(text: string, limit: number): string[] {
  const rows = lines(text);
  const hasHeader = /^\|?[\s:|-]+\|?\s*$/.test(rows[1] ?? "");
  const header = hasHeader ? rows.slice(0, 2).join("") : "";
  const room = limit - countTokens(header);
  if (room < limit / 2) return pack(rows, limit).map((piece) => piece.trimEnd());
  return pack(hasHeader ? rows.slice(2) : rows, room).map((piece) => (header + piece).trimEnd());
}

/** Every piece stays a code block of its own. */
function splitCode(text: string, limit: number): string[] {
  const fence = /^```[^\n]*\n/.exec(text)?.[0];
  if (!fence) return pack(lines(text), limit).map((piece) => piece.trimEnd());
  const body = text.slice(fence.length).replace(/\n```\s*$/, "\n");
  return pack(lines(body), limit - countTokens(fence) - 2).map((piece) => `${fence}${piece.trimEnd()}\n\`\`\``);
}

/** Fills pieces with whole units; a unit too long for any piece is cut finer, down to graphemes. */
function pack(units: readonly string[], limit: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let size = 0;
  for (const unit of units.flatMap((each) => (countTokens(each) > limit ? finer(each, limit) : [each]))) {
    const more = countTokens(unit);
    if (piece !== "" && size + more > limit) {
      pieces.push(piece);
      piece = "";
      size = 0;
    }
    piece += unit;
    size += more;
  }
  if (piece.trim() !== "") pieces.push(piece);
  return pieces;
}

/** The next finer units: sentences, then words (a link counts as one), then graphemes. */
function finer(text: string, limit: number): string[] {
  for (const cut of [sentences, words]) {
    const units = cut(text);
    if (units.length > 1) return units.flatMap((unit) => (countTokens(unit) > limit ? finer(unit, limit) : [unit]));
  }
  return pack(graphemes(text), limit);
}

const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [text];

const sentenceCutter = new Intl.Segmenter("en", { granularity: "sentence" });
const wordCutter = new Intl.Segmenter("en", { granularity: "word" });
const graphemeCutter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Abbreviations after which no sentence ends, though a capital may follow. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|approx|no|nr|fig|sec|art|dr|mr|mrs|ms|prof|st|bzw|ca|vgl|\p{Lu})\.\s*$/iu;

/** Sentences with the blanks behind them; together they are the text again. */
export function sentences(text: string): string[] {
  const found: string[] = [];
  for (const { segment } of sentenceCutter.segment(text)) {
    const last = found.at(-1);
    if (last !== undefined && goesOn(last)) found[found.length - 1] = last + segment;
    else found.push(segment);
  }
  return found;
}

/** No sentence ends in the middle of a link or name ("example.com/?a"), nor after an abbreviation. */
const goesOn = (last: string): boolean => /[.!?]["')\]]*$/.test(last) || (abbreviation.test(last) && !/\n\s*$/.test(last));

function words(text: string): string[] {
  const spaced = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  if (spaced.length > 1) return spaced;
  if (/https?:\/\//.test(text)) return [text];
  return Array.from(wordCutter.segment(text), ({ segment }) => segment);
}

function graphemes(text: string): string[] {
  const found: string[] = [];
  let piece = "";
  // Handfuls instead of single graphemes: counting tokens one by one would be slow.
  for (const { segment } of graphemeCutter.segment(text)) {
    piece += segment;
    if (piece.length < 24) continue;
    found.push(piece);
    piece = "";
  }
  return piece === "" ? found : [...found, piece];
}
