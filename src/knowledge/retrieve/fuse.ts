import type { PassageId } from "../../core/ids.ts";
import { CANDIDATES, type Scored } from "./scored.ts";

/**
 * One list out of two: the weighted sum of both sides' scores, best first, every passage once. (Fusing by rank alone lets a weak side
 * push good hits down: see docs/retrieval.md.)
 * @param weight of the meaning side, 0 to 1
 */
export function fuse(meaning: readonly Scored[], words: readonly Scored[], weight: number): readonly Scored[] {
  const sums = new Map<PassageId, number>();
  const add = (side: readonly Scored[], share: number) => {
    const least = leastOf(side);
    for (const { passageId, score } of side) sums.set(passageId, (sums.get(passageId) ?? 0) + share * (score - least));
  };
  add(meaning, weight);
  add(words, 1 - weight);
  return [...sums]
    .map(([passageId, score]) => ({ passageId, score }))
    .sort((a, b) => b.score - a.score || (a.passageId < b.passageId ? -1 : 1));
}

/** A passage just below the end of a full list is hardly worse than the last one on it: scores count from there. */
const leastOf = (side: readonly Scored[]): number => (side.length < CANDIDATES ? 0 : Math.min(...side.map(({ score }) => score)));

/** Words of a question up to which an embedder's own weight holds. */
const SHORT_QUESTION = 4;

/**
 * The weight of meaning for a question of so many words. The longer it is, the more of it the words tell by themselves, and the smaller the share of
 * their bound that any passage reaches: a fixed weight would let meaning outshout them.
 */
export const meaningWeight = (embedderWeight: number, words: number): number =>
  embedderWeight * Math.min(1, SHORT_QUESTION / Math.max(1, words));
