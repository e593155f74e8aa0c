import type { Embedder } from "../embedder/port.ts";
import type { SearchScope } from "../full-text/port.ts";
import type { PassageRows } from "../storage.ts";
import type { Scored } from "./scored.ts";

/**
 * Passages near the query in meaning, best first. A score says how far a similarity rises above what is usual between this query and
 * just any passage, from 0 to 1 for what the model calls related, more where a passage says just what was asked. (Measured from a
 * fixed point instead, everything looks alike to a model that does not know the vocabulary: jargon, another language.)
 */
export async function searchByMeaning(
  passages: PassageRows,
  embedder: Embedder,
  query: string,
  { principals, filter, limit, signal }: SearchScope & { readonly signal: AbortSignal },
): Promise<readonly Scored[]> {
  const [vector] = await embedder.embed([query], "query", signal);
  if (!vector) return [];
  const { candidates, sample } = await passages.byVector({ model: embedder.id, vector }, principals, limit, filter);
  const { unrelated, related } = embedder.scale;
  const usual = (sample.mean * sample.count + unrelated * PRIOR) / (sample.count + PRIOR);
  const base = Math.max(unrelated, usual);
  return candidates.map(({ passageId, similarity }) => ({ passageId, score: Math.max(0, (similarity - base) / (related - unrelated)) }));
}

/** How many passages the model's own "unrelated" weighs: in a library of three pages about one thing, all three may be the answer. */
const PRIOR = 20;
