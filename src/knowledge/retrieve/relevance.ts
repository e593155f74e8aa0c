import type { Scored } from "./scored.ts";

/**
 * Puts the score that people and answerers see on ranked candidates, and drops what does not reach the floor (0 to 1). Either side alone may
 * make a passage relevant: a paraphrase shares no words, a part number has no meaning. Hence the probable-or of both sides and
 * not the weighted sum, which serves the order only.
 */
export function relevant(
  ranked: readonly Scored[],
  { meaning, words }: { meaning: readonly Scored[]; words: readonly Scored[] },
  floor: number,
): readonly Scored[] {
  const close = new Map(meaning.map(({ passageId, score }) => [passageId, score]));
  const worded = new Map(words.map(({ passageId, score }) => [passageId, score]));
  return ranked
    .map(({ passageId }) => ({
      passageId,
      score: either(close.get(passageId) ?? 0, worded.get(passageId) ?? 0),
    }))
    .filter(({ score }) => score >= floor);
}

const either = (a: number, b: number): number => 1 - (1 - Math.min(1, a)) * (1 - Math.min(1, b));
