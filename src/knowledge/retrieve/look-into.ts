import type { Principal } from "../../core/principal.ts";
import type { WeightedWord } from "../full-text/port.ts";
import type { PassageRows } from "../storage.ts";
import { candidatesOf, LOOKED_INTO } from "./candidate.ts";
import { diversify } from "./diversify.ts";
import { rerank } from "./rerank.ts";
import type { Scored } from "./scored.ts";

/** Which of the stages that look into the texts to run; both, except where each one's worth is measured. */
export interface LookIntoOptions {
  readonly reranked?: boolean;
  readonly diversified?: boolean;
}

/** The best ones sorted anew by what their texts say; the others stay behind them as they are. */
export async function lookInto(
  passages: PassageRows,
  ranked: readonly Scored[],
  words: readonly WeightedWord[],
  principals: readonly Principal[],
  { reranked = true, diversified = true }: LookIntoOptions = {},
): Promise<readonly Scored[]> {
  const best = ranked.slice(0, LOOKED_INTO);
  if (best.length === 0) return ranked;
  const texts = await passages.read(
    best.map(({ passageId }) => passageId),
    principals,
  );
  const read = candidatesOf(best, texts);
  const sorted = reranked ? rerank(read, words) : read;
  return [...(diversified ? diversify(sorted) : sorted), ...ranked.slice(LOOKED_INTO)];
}
