import type { PassageId } from "../../core/ids.ts";
import { terms, writtenWords } from "../full-text/terms.ts";
import type { Scored } from "./scored.ts";

/** A ranked passage with its words, for the stages that look into the text. */
export interface Candidate extends Scored {
  /** In reading order, with repetitions. */
  readonly words: readonly string[];
  /** As they stand, endings and all. */
  readonly written: ReadonlySet<string>;
  readonly titleWords: ReadonlySet<string>;
  /** When its document was added, in milliseconds: of two that are equal the original comes before its copy. */
  readonly addedAt: number;
}

/** Passages that the later stages look into; what is ranked below is not worth the time. */
export const LOOKED_INTO = 40;

/** The best with their texts. Those whose text can no longer be read are left out. */
export function candidatesOf(
  ranked: readonly Scored[],
  texts: readonly { passageId: PassageId; title: string; text: string; updatedAt: Date }[],
): Candidate[] {
  const read = new Map(texts.map((each) => [each.passageId, each]));
  return ranked.flatMap(({ passageId, score }) => {
    const found = read.get(passageId);
    if (!found) return [];
    const words = { words: terms(found.text), written: new Set(writtenWords(found.text)), titleWords: new Set(terms(found.title)) };
    return [{ passageId, score, ...words, addedAt: found.updatedAt.getTime() }];
  });
}
