import type { Principal } from "../../core/principal.ts";
import type { Embedder } from "../embedder/port.ts";
import type { PassageRows } from "../storage.ts";
import type { Scored } from "./scored.ts";

/**
 * Passages near the query in meaning, best first. Similarities are put on the model's own scale from unrelated (0) to related (1; more
 * where a passage says just what was asked, so that the order stays).
 */
export async function searchByMeaning(
  passages: PassageRows,
  embedder: Embedder,
  query: string,
  { principals, limit, signal }: { principals: readonly Principal[]; limit: number; signal: AbortSignal },
): Promise<readonly Scored[]> {
  const [vector] = await embedder.embed([query], "query", signal);
  if (!vector) return [];
  const candidates = await passages.byVector({ model: embedder.id, vector }, principals, limit);
  const { unrelated, related } = embedder.scale;
  return candidates.map(({ passageId, similarity }) => ({
    passageId,
    score: Math.max(0, (similarity - unrelated) / (related - unrelated)),
  }));
}
