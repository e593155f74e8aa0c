import type { PassageId } from "../../core/ids.ts";

/** A candidate with its score on the scale of its side: 0 (nothing in common) to about 1 (all that was asked). */
export interface Scored {
  readonly passageId: PassageId;
  readonly score: number;
}

/** Candidates each side contributes to a fused search. */
export const CANDIDATES = 100;
