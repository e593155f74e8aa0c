import { type MrkdwnOptions, toParts } from "../mrkdwn.ts";
import { draftMarkdown } from "./draft.ts";
import { byFences } from "./parse.ts";
import type { Part } from "./run.ts";

/** The parts of a text that grows: what is complete is converted once, only its last blocks again with each revision. */
export class DraftParts {
  #done = "";
  #parts: readonly Part[] = [];
  #options: MrkdwnOptions | undefined;

  /** @param text the whole text so far, unfinished */
  read(text: string, options: MrkdwnOptions): readonly Part[] {
    if (!text.startsWith(this.#done) || this.#options !== options) {
      this.#done = "";
      this.#parts = [];
      this.#options = options;
    }
    const end = completeUpTo(text);
    if (end > this.#done.length) {
      this.#parts = joined(this.#parts, toParts(text.slice(this.#done.length, end), options));
      this.#done = text.slice(0, end);
    }
    return joined(this.#parts, toParts(draftMarkdown(text.slice(this.#done.length)), options));
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
