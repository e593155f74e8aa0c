import type { Principal } from "../../core/principal.ts";
import { terms } from "../full-text/terms.ts";
import type { PassageRows } from "../storage.ts";
import type { Scored } from "./scored.ts";

/** Passages that hold words of the query, best first by BM25, as a share of the most that any passage could reach. */
export async function searchByWords(
  passages: PassageRows,
  query: string,
  { principals, limit }: { principals: readonly Principal[]; limit: number },
): Promise<readonly Scored[]> {
  const words = terms(query);
  if (words.length === 0) return [];
  const candidates = await passages.byTerms(words, principals, limit);
  return candidates.map(({ passageId, score, bound }) => ({ passageId, score: score / bound }));
}
