import type { WeightedWord } from "../full-text/port.ts";
import type { Candidate } from "./candidate.ts";

/** What neighbouring words of the question that are neighbours in the passage too add, as a share of what the words themselves are worth. */
const PHRASES = 0.15;
/** The same for a title that says what the question says: the mean of how much of the question it has and how much of it the question has. */
const TITLE = 0.2;
/** The same for words that stand in the passage as they were asked, endings and all: stems are equal for "policy" and "police", too. */
const AS_WRITTEN = 0.03;
/** How soon a phrase that is repeated adds nothing more: as BM25 does with words. */
const SATURATION = 1.2;

/**
 * Sorts candidates anew by what counting stems does not see: whether the question's words stand together, as they were asked, and in the title. Costs
 * no model; the weights were measured (docs/retrieval.md).
 */
export function rerank(candidates: readonly Candidate[], words: readonly WeightedWord[]): Candidate[] {
  const whole = weightOf(words);
  if (whole === 0) return [...candidates];
  const wordOf = new Map(words.flatMap(({ terms }, index) => terms.map((term) => [term, index] as const)));
  const scored = candidates.map((candidate) => {
    const phrases = phraseWeight(candidate.words, words, wordOf) / whole;
    const asWritten = weightOf(words.filter(({ written }) => candidate.written.has(written))) / whole;
    const title = titleShare(candidate.titleWords, words, whole);
    return { ...candidate, score: candidate.score + PHRASES * phrases + AS_WRITTEN * asWritten + TITLE * title };
  });
  return scored.sort((a, b) => b.score - a.score || a.addedAt - b.addedAt || (a.passageId < b.passageId ? -1 : 1));
}

const weightOf = (words: readonly WeightedWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

/** Each pair of neighbours weighs what its words weigh on average. */
function phraseWeight(passage: readonly string[], words: readonly WeightedWord[], wordOf: ReadonlyMap<string, number>): number {
  const repetitions = new Map<number, number>();
  for (let at = 0; at + 1 < passage.length; at++) {
    const [first, second] = [wordOf.get(passage[at] ?? ""), wordOf.get(passage[at + 1] ?? "")];
    if (first !== undefined && second === first + 1) repetitions.set(first, (repetitions.get(first) ?? 0) + 1);
  }
  let sum = 0;
  for (const [first, times] of repetitions) {
    const weight = ((words[first]?.weight ?? 0) + (words[first + 1]?.weight ?? 0)) / 2;
    sum += (weight * times * (1 + SATURATION)) / (times + SATURATION);
  }
  return sum;
}

/** Geometric mean: a title of one common word is in many a question, and a long one has something of any. */
function titleShare(title: ReadonlySet<string>, words: readonly WeightedWord[], whole: number): number {
  const common = words.filter(({ terms }) => terms.some((term) => title.has(term)));
  const ofQuestion = weightOf(common) / whole;
  return Math.sqrt(ofQuestion * (common.length / Math.max(1, title.size)));
}
