import { wholeGraphemes } from "./graphemes.ts";

/** Longest tail that may wait for its other half, in characters. After that it is ordinary text. */
const LONGEST_MARKER = 60;
const LONGEST_CODE_SPAN = 200;
const LONGEST_LINK = 300;
/** [1-20] is more likely a range of numbers than twenty sources. */
const LONGEST_RANGE = 10;

/** [1], [1, 2], [1-3], [^1], [source 1], 【1】, 【1†page 2】. Numbers of four digits are years, not sources. */
const marker =
  /^(?:\[\s*(?:\^|(?:source|sources|cite|citation|ref)[\s:]*)?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*\]|【\s*(\d{1,3})(?:†[^】\n]{0,40})?\s*】)/i;
const anyMarker = new RegExp(marker.source.slice(1), "gi");
const startOfMarker = /^(?:\[\s*(?:\^|[a-z]{0,9}[\s:]*)?[\d\s,;–-]*|【[\d\s]*(?:†[^】\n]{0,40})?)$/i;
const fence = /^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)*(`{3,}|~{3,})/;
const startOfFence = /^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]*)*(?:`{0,}|~{0,})$/;

/**
 * Other people's text as part of an answer: it cites nothing, and no code begins in it that would reach beyond it (there markers of ours
 * would not be read).
 */
export function asQuote(text: string): string {
  const uncited = text.replace(anyMarker, (found) => `(${found.slice(1, -1)})`).replace(/`{3,}|~{3,}/g, "'");
  return (uncited.split("`").length - 1) % 2 === 0 ? uncited : uncited.replaceAll("`", "'");
}

/**
 * The text of an answer on its way to people. Markers come out as [1][2] with known numbers only; brackets in code stay; no piece
 * ends inside a marker, a surrogate pair or a grapheme. What might still become one of these is held back, never for long.
 */
export class CitationText {
  /** Text whose meaning is open, and text that is settled but not yet handed out. */
  #open = "";
  #settled = "";
  /** The run of backticks or tildes that closes the fence we are in. */
  #fence: string | undefined;
  #lineStart = true;
  #whole = "";
  readonly #isKnown: (n: number) => boolean;

  /** @param isKnown called for each number in a marker, in order of appearance; whether a source has it */
  constructor(isKnown: (n: number) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Everything handed out so far. */
  get whole(): string {
    return this.#whole;
  }

  /** Takes a piece from the model; returns what can be shown now, possibly nothing. */
  push(delta: string): string {
    this.#open += delta;
    this.#scan(false);
    const [ready, rest] = wholeGraphemes(this.#settled);
    return this.#hand(ready, rest);
  }

  /** The rest. The model will write no more. */
  end(): string {
    this.#scan(true);
    return this.#hand(this.#settled, "");
  }

  #hand(ready: string, rest: string): string {
    this.#settled = rest;
    this.#whole += ready;
    return ready;
  }

  #scan(final: boolean) {
    let text = this.#open;
    while (text !== "") {
      const taken = this.#fence ? this.#inFence(text, final) : this.#inProse(text, final);
      if (taken === 0) break;
      text = text.slice(taken);
    }
    this.#open = text;
  }

  /** Copies up to and with the line that closes the fence. Returns how many characters were dealt with; 0 means: wait for more. */
  #inFence(text: string, final: boolean): number {
    const lineEnd = text.indexOf("\n");
    if (this.#lineStart && lineEnd < 0 && !final && startOfFence.test(text) && text.length < LONGEST_MARKER) return 0;
    const line = lineEnd < 0 ? text : text.slice(0, lineEnd + 1);
    const closing = this.#lineStart && /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?\n?$/.exec(line)?.[1];
    if (closing && this.#fence && closing.startsWith(this.#fence)) {
      if (lineEnd < 0 && !final) return 0;
      this.#fence = undefined;
    }
    return this.#settle(line);
  }

  #inProse(text: string, final: boolean): number {
    if (this.#lineStart) {
      const opening = fence.exec(text);
      const rest = opening ? text.slice(opening[0].length).split("\n", 1)[0] : undefined;
      const wholeLine = final || text.includes("\n") || text.length >= LONGEST_MARKER;
      if (!wholeLine && (opening ? !rest?.includes("`") : startOfFence.test(text))) return 0;
      // Three backticks that are closed on the same line are a code span.
      if (opening?.[1] && !rest?.includes("`")) {
        this.#fence = opening[1];
        return this.#settle(opening[0]);
      }
    }
    const special = text.search(/[`[【\\\n]/);
    if (special < 0) return this.#settle(text);
    if (special > 0) return this.#settle(text.slice(0, special));
    const first = text[0];
    if (first === "\n") return this.#settle("\n");
    if (first === "`") return this.#codeSpan(text, final);
    if (first === "\\") return text.length > 1 || final ? this.#settle(text.slice(0, 2)) : 0;
    return this.#marker(text, final);
  }

  /** A span is copied whole once its end has come; a run of backticks without an end is ordinary text. */
  #codeSpan(text: string, final: boolean): number {
    const run = /^`+/.exec(text)?.[0] ?? "`";
    if (run.length === text.length && !final) return 0;
    const end = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`).exec(text.slice(run.length));
    const paragraphEnd = text.search(/\n[ \t]*\n/);
    if (end) {
      const length = run.length + end.index + run.length;
      if (length === text.length && !final) return 0;
      if (paragraphEnd < 0 || paragraphEnd > length) return this.#settle(text.slice(0, length));
    } else if (!final && paragraphEnd < 0 && text.length < LONGEST_CODE_SPAN) return 0;
    return this.#settle(run);
  }

  #marker(text: string, final: boolean): number {
    const match = marker.exec(text);
    if (!match) {
      const mayBecomeOne = !final && text.length < LONGEST_MARKER && startOfMarker.test(text);
      return mayBecomeOne ? 0 : this.#settle(text.slice(0, 1));
    }
    const link = this.#linkAfter(text.slice(match[0].length), final);
    if (link < 0) return 0;
    const numbers = numbersIn(match[1] ?? match[2] ?? "").filter((n) => this.#isKnown(n));
    if (numbers.length === 0) this.#settled = this.#settled.replace(/[ \t]$/, "");
    this.#settle(numbers.map((n) => `[${n}]`).join(""));
    return match[0].length + link;
  }

  /** Length of an address the model put behind a marker, as in [1](https://...): ours is used instead. -1 means: wait for more. */
  #linkAfter(rest: string, final: boolean): number {
    if (rest === "") return final ? 0 : -1;
    if (rest[0] !== "(") return 0;
    const link = /^\([^\s()]*\)/.exec(rest);
    if (link) return /^\((?:https?:|#|\/)/.test(rest) ? link[0].length : 0;
    return !final && rest.length < LONGEST_LINK && /^\([^\s()]*$/.test(rest) ? -1 : 0;
  }

  #settle(text: string): number {
    this.#settled += text;
    if (text !== "") this.#lineStart = text.endsWith("\n");
    return text.length;
  }
}

/** "1, 3-5" -> 1, 3, 4, 5; a long range stands for its two ends. */
function numbersIn(list: string): number[] {
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number);
    if (to <= from || to - from >= LONGEST_RANGE) return to === from ? [from] : [from, to];
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  return [...new Set(numbers)];
}
