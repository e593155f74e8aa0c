/** How well a ranking answers, 0 to 1. */
export interface Quality {
  /** Normalised discounted cumulative gain over the first ten, with linear gains as trec_eval has them. */
  readonly ndcg10: number;
  /** Share of the right documents that are among the first ten, and the first hundred. */
  readonly recall10: number;
  readonly recall100: number;
}

/** Means over all questions that have a right document. @param rankings documents by question, best first, each once */
export function quality(
  rankings: ReadonlyMap<string, readonly string[]>,
  judgments: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Quality {
  const each = [...rankings].flatMap(([question, ranking]) => {
    const grades = judgments.get(question) ?? new Map<string, number>();
    const right = [...grades.values()].filter((grade) => grade > 0);
    if (right.length === 0) return [];
    const gains = ranking.slice(0, 10).map((document) => grades.get(document) ?? 0);
    const ideal = right.sort((a, b) => b - a).slice(0, 10);
    const recall = (first: number) => ranking.slice(0, first).filter((document) => (grades.get(document) ?? 0) > 0).length / right.length;
    return [{ ndcg10: discounted(gains) / discounted(ideal), recall10: recall(10), recall100: recall(100) }];
  });
  const mean = (of: (one: Quality) => number) => each.reduce((sum, one) => sum + of(one), 0) / Math.max(1, each.length);
  return { ndcg10: mean((one) => one.ndcg10), recall10: mean((one) => one.recall10), recall100: mean((one) => one.recall100) };
}

const discounted = (gains: readonly number[]): number => gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);

/** The value that a share of all are at or below; 0 when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
