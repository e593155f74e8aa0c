import { type MrkdwnOptions, toParts } from "../mrkdwn.ts";
import { draftMarkdown, steadyMarkdown } from "./draft.ts";
import { byFences } from "./parse.ts";
import type { Part } from "./run.ts";

/** The parts of a text that grows: what is complete is converted once, only its last blocks again with each revision. */
export class DraftParts {
  #done = "";
  #parts: readonly Part[] = [];
  #allowed: MrkdwnOptions["allowed"];

  /** @param text the whole text so far, unfinished; whatever is open in it is closed */
  read(text: string, options: MrkdwnOptions): readonly Part[] {
    const rest = this.#advance(text, options);
    return joined(this.#parts, toParts(draftMarkdown(rest), options));
  }

  /** The part of the text that will not change any more, see steadyMarkdown. */
  readSteady(text: string, options: MrkdwnOptions): readonly Part[] {
    const rest = this.#advance(text, options);
    return joined(this.#parts, toParts(steadyMarkdown(rest), options));
  }

  /** Converts what has become complete. A further citation changes nothing in it. @returns the text behind it */
  #advance(text: string, options: MrkdwnOptions): string {
    if (!text.startsWith(this.#done) || this.#allowed !== options.allowed) {
      this.#done = "";
      this.#parts = [];
      this.#allowed = options.allowed;
    }
    const end = this.#done.length + completeUpTo(text.slice(this.#done.length));
    if (end > this.#done.length) {
      this.#parts = joined(this.#parts, toParts(text.slice(this.#done.length, end), options));
      this.#done = text.slice(0, end);
    }
    return text.slice(this.#done.length);
  }
}

const joined = (first: readonly Part[], second: readonly Part[]): readonly Part[] =>
  first.length === 0 ? second : [...first, ...second.map((part, index) => (index === 0 ? { ...part, gap: true } : part))];

/** The last place after which nothing can change what stands before: a blank line outside a fence, then a line that continues nothing. */
function completeUpTo(text: string): number {
  let end = 0;
  let offset = 0;
  for (const piece of byFences(text)) {
    if (!piece.fenced) {
      for (const match of piece.text.matchAll(/\n[ \t]*\n(?=[^\s\-*+>|\d[~`<=])/g)) end = offset + match.index + match[0].length;
    }
    offset += piece.text.length;
  }
  return end;
}
