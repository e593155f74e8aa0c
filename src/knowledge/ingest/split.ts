import { countTokens } from "../../core/tokens.ts";
import type { Block } from "./extract/document.ts";

/** How long texts are to the model that turns them into vectors. */
export interface Measure {
  /** Tokens of a text. */
  count(text: string): number;
  /** Tokens that a passage should have at most. */
  readonly passage: number;
}

/** No token stands for more characters than this, so longer texts need not be counted. */
const LONGEST_TOKEN = 128;

/** A row of a table, and a link, stay whole up to this many times the limit: cut they would say something else. */
const WHOLE = 4;

/** Cuts an oversized text into pieces of at most `limit` tokens, at the best places its kind offers. */
export function split(text: string, kind: Block["kind"], limit: number, count: Measure["count"] = countTokens): string[] {
  const cutter = new Cutter(limit, count);
  if (cutter.fits(text)) return [text];
  if (kind === "table") return cutter.table(text);
  if (kind === "code") return cutter.code(text);
  return cutter.pack(kind === "list" ? lines(text) : sentences(text)).map((piece) => piece.trim());
}

class Cutter {
  readonly #limit: number;
  readonly #count: Measure["count"];

  constructor(limit: number, count: Measure["count"]) {
    this.#limit = limit;
    this.#count = count;
  }

  fits(text: string, limit = this.#limit): boolean {
    return text.length <= limit * LONGEST_TOKEN && this.#count(text) <= limit;
  }

  /** Every piece repeats the header row, so that each can be read alone, and what stands above the table, such as its title. */
  table(text: string): string[] {
    const rows = lines(text);
    const rule = rows.findIndex((row) => /^\|(?: ?:?-{3,}:? ?\|)+\s*$/.test(row));
    const header = rule < 1 ? "" : rows.slice(0, rule + 1).join("");
    const body = rule < 1 ? rows : rows.slice(rule + 1);
    const room = this.#limit - (header === "" ? 0 : this.#count(header));
    // A header that takes most of a passage is said once.
    if (room < this.#limit / 2) return this.pack(rows, this.#limit, this.#row).map((piece) => piece.trimEnd());
    return this.pack(body, room, this.#row).map((piece) => (header + piece).trimEnd());
  }

  /** A row that is too long even for a passage of its own is cut between its cells. */
  #row = (row: string, limit: number): string[] => {
    if (this.fits(row, this.#limit * WHOLE)) return [row];
    const cells = row.match(/\|(?:\\.|[^|\\])*/g) ?? [row];
    return this.pack(cells, limit);
  };

  /** Every piece stays a code block of its own. */
  code(text: string): string[] {
    const fence = /^```[^\n]*\n/.exec(text)?.[0];
    if (!fence) return this.pack(lines(text)).map((piece) => piece.trimEnd());
    const body = text.slice(fence.length).replace(/\n```\s*$/, "\n");
    const room = Math.max(this.#limit / 2, this.#limit - this.#count(fence) - 2);
    return this.pack(lines(body), room).map((piece) => `${fence}${piece.trimEnd()}\n\`\`\``);
  }

  /** Fills pieces with whole units; a unit too long for any piece is cut finer, down to graphemes. */
  pack(units: readonly string[], limit = this.#limit, cut = this.#finer): string[] {
    const pieces: string[] = [];
    let piece = "";
    let size = 0;
    for (const unit of units.flatMap((each) => (this.fits(each, limit) ? [each] : cut(each, limit)))) {
      const more = this.#count(unit);
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
  #finer = (text: string, limit: number): string[] => {
    for (const cut of [sentences, words]) {
      const units = cut(text);
      if (units.length > 1) return units.flatMap((unit) => (this.fits(unit, limit) ? [unit] : this.#finer(unit, limit)));
    }
    if (isLink(text) && this.fits(text, this.#limit * WHOLE)) return [text];
    return this.pack(graphemes(text), limit, (handful) => [handful]);
  };
}

const isLink = (text: string): boolean => /(?:https?|mailto|ftp):\S/.test(text);

const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [text];

const sentenceCutter = new Intl.Segmenter("en", { granularity: "sentence" });
const wordCutter = new Intl.Segmenter("en", { granularity: "word" });
const graphemeCutter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Abbreviations after which no sentence ends, though a capital may follow. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|approx|no|nr|fig|sec|art|dr|mr|mrs|ms|prof|st|bzw|ca|vgl|\p{Lu})\.\s*$/iu;

/** Sentences are looked for in so many characters at once; nobody writes longer ones, and the time grows faster than the length. */
const LONGEST_SENTENCE = 4_000;

/** Sentences with the blanks behind them; together they are the text again. */
export function sentences(text: string): string[] {
  if (text.length > LONGEST_SENTENCE) return portions(text).flatMap(sentences);
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

/** A long text in portions that end with a line or a word where there is one, and never within a character. */
function portions(text: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + LONGEST_SENTENCE;
    const window = text.slice(from, end);
    const best =
      end >= text.length ? window.length : Math.max(window.lastIndexOf("\n"), window.lastIndexOf(". "), window.lastIndexOf(" ")) + 1;
    let to = from + (best > LONGEST_SENTENCE / 2 ? best : window.length);
    // Within a character of several signs: its first one goes to the next portion.
    for (let back = 0; back < LONGEST_CHARACTER && to < text.length && goesWithBefore(text, to); back++) to--;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

/** Code units of a character made of several; text that claims longer ones is not text. */
const LONGEST_CHARACTER = 64;
const joined = /^(?:\p{M}|\p{Emoji_Modifier}|\u200D)/u;
const goesWithBefore = (text: string, at: number): boolean =>
  joined.test(text.slice(at, at + 2)) || (text.charCodeAt(at) & 0xfc00) === 0xdc00 || text[at - 1] === "\u200D";

function words(text: string): string[] {
  const spaced = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  if (spaced.length > 1) return spaced;
  if (isLink(text)) return [text];
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
