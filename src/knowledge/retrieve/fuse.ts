import type { PassageId } from "../../core/ids.ts";
import type { Scored } from "./scored.ts";

/**
 * One list out of two: the weighted sum of both sides' scores, best first, every passage once. A passage that one side does not know
 * counts as 0 there. (Fusing by rank alone lets a weak side push good hits down: see bench/retrieval.)
 * @param weight of the meaning side, 0 to 1
 */
export function fuse(meaning: readonly Scored[], words: readonly Scored[], weight: number): readonly Scored[] {
  const sums = new Map<PassageId, number>();
  const add = (side: readonly Scored[], share: number) => {
    for (const { passageId, score } of side) sums.set(passageId, (sums.get(passageId) ?? 0) + share * score);
  };
  add(meaning, weight);
  add(words, 1 - weight);
  return [...sums]
    .map(([passageId, score]) => ({ passageId, score }))
    .sort((a, b) => b.score - a.score || (a.passageId < b.passageId ? -1 : 1));
}
