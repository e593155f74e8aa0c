import type { Candidate } from "./candidate.ts";

/** Share of common words from which a passage begins to repeat another; below, likeness is what a search looks for. */
const ALIKE = 0.95;

/**
 * Maximal marginal relevance, as far as passages say the same: each next one is the best after taking off what it repeats of those above. A copy
 * of a passage that is there already (the same page in two documents) goes to the end of the list.
 */
export function diversify(candidates: readonly Candidate[]): Candidate[] {
  const waiting = candidates.map((candidate) => ({ candidate, bag: new Set(candidate.words), repeats: 0 }));
  const chosen: Candidate[] = [];
  while (waiting.length > 0) {
    let best = 0;
    for (let at = 1; at < waiting.length; at++) if (worth(waiting[at]) > worth(waiting[best])) best = at;
    const [next] = waiting.splice(best, 1);
    if (!next) break;
    chosen.push(next.candidate);
    for (const other of waiting) other.repeats = Math.max(other.repeats, (likeness(next.bag, other.bag) - ALIKE) / (1 - ALIKE));
  }
  return chosen;
}

interface Waiting {
  readonly candidate: Candidate;
  readonly bag: ReadonlySet<string>;
  /** 0 (nothing that is not above already) to 1 (all of it is). */
  repeats: number;
}

const worth = (waiting: Waiting | undefined): number =>
  waiting ? waiting.candidate.score * (1 - waiting.repeats) : Number.NEGATIVE_INFINITY;

/** Words in common as a share of all words of both. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < large.size * ALIKE) return 0;
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  return common / Math.max(1, a.size + b.size - common);
}
