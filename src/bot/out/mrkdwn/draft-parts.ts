import { type MrkdwnOptions, toParts } from "../mrkdwn.ts";
import { draftMarkdown, steadyMarkdown } from "./draft.ts";
import { byFences } from "./parse.ts";
import type { Part } from "./run.ts";

/** The parts of a text that grows: what is complete is converted once, only its last blocks again with each revision. */
export class DraftParts {
  #done = "";
  #parts: readonly Part[] = [];
  #gap = true;
  #allowed: MrkdwnOptions["allowed"];

  /** @param text the whole text so far, unfinished; whatever is open in it is closed */
  read(text: string, options: MrkdwnOptions): readonly Part[] {
    const rest = this.#advance(text, options);
    return joined(this.#parts, toParts(draftMarkdown(rest), options), this.#gap);
  }

  /** The part of the text that will not change any more, see steadyMarkdown. */
  readSteady(text: string, options: MrkdwnOptions): readonly Part[] {
    const rest = this.#advance(text, options);
    return joined(this.#parts, toParts(steadyMarkdown(rest), options), this.#gap);
  }

  /** Converts what has become complete. A further citation changes nothing in it. @returns the text behind it */
  #advance(text: string, options: MrkdwnOptions): string {
    if (!text.startsWith(this.#done) || this.#allowed !== options.allowed) {
      this.#done = "";
      this.#parts = [];
      this.#gap = true;
      this.#allowed = options.allowed;
    }
    const seam = lastSeam(text.slice(this.#done.length));
    if (seam && seam.end > 0) {
      const end = this.#done.length + seam.end;
      this.#parts = joined(this.#parts, toParts(text.slice(this.#done.length, end), options), this.#gap);
      this.#done = text.slice(0, end);
      this.#gap = seam.gap;
    }
    return text.slice(this.#done.length);
  }
}

/** Puts parts behind others, with the blank line between them that is usual there. */
const joined = (first: readonly Part[], second: readonly Part[], gap: boolean): readonly Part[] =>
  first.length === 0 ? second : [...first, ...second.map((part, index) => (index === 0 && part.gap !== gap ? { ...part, gap } : part))];

/** A place after which nothing can change what stands before. */
interface Seam {
  readonly end: number;
  /** Whether a blank line stands there; none between two items of a list. */
  readonly gap: boolean;
}

const item = /^(?:([-*+])|(\d{1,9})([.)]))[ \t]+(?=\S)/;
const innerItem = /^( {1,3})(?:[-*+]|\d{1,9}[.)])[ \t]/;
const rule = /^(?:[-*_][ \t]*){3,}$/;
// A block of HTML swallows everything up to the next blank line, lists too.
const html = /^[ \t]{0,3}<[a-z/!?]/i;

/** A list at the margin that is being read. */
interface OpenList {
  /** The marker its next item must have; undefined when the source numbers it otherwise than it is shown. */
  readonly next: string | undefined;
  readonly kind: string;
  /** Columns before an item's text: what is indented less belongs to something else. */
  readonly inset: number;
}

/** The last seam of a text: before a line that continues nothing, or before the next item of a list that stands at the margin. */
function lastSeam(text: string): Seam | undefined {
  let seam: Seam | undefined;
  let offset = 0;
  let list: OpenList | undefined;
  for (const piece of byFences(text)) {
    if (piece.fenced) {
      if (/^\S/.test(piece.text)) list = undefined;
      offset += piece.text.length;
      continue;
    }
    let blank = false;
    let swallowed = false;
    for (const line of piece.text.split(/(?<=\n)/)) {
      const content = line.trimEnd();
      const found = line.endsWith("\n") && !rule.test(content) ? item.exec(content) : null;
      swallowed = !blank && (swallowed || html.test(line));
      if (content === "") blank = true;
      else {
        if (found && !swallowed && list?.next !== undefined && list.next === markerOf(found, 0)) seam = { end: offset, gap: false };
        else if (blank && /^[^\s\-*+>|\d[~`<=]/.test(line)) seam = { end: offset, gap: true };
        list = found ? nextOf(found, list) : stillOpen(line, content, blank, list) ? list : undefined;
        blank = false;
      }
      offset += line.length;
    }
  }
  return seam;
}

function nextOf(found: RegExpExecArray, list: OpenList | undefined): OpenList {
  const kind = found[1] ?? String(found[3]);
  const goesOn = list?.kind === kind;
  return { kind, inset: found[0].length, next: goesOn && list.next !== markerOf(found, 0) ? undefined : markerOf(found, 1) };
}

function stillOpen(line: string, content: string, blank: boolean, list: OpenList | undefined): boolean {
  const inner = innerItem.exec(line);
  if (inner) return (inner[1]?.length ?? 0) >= (list?.inset ?? 0);
  return !(/^\S/.test(line) && (blank || rule.test(content) || /^[#>]/.test(line)));
}

/** What the marker `step` items further on looks like. */
const markerOf = ([, bullet, number, dot]: RegExpExecArray, step: number): string => bullet ?? `${Number(number) + step}${dot}`;
