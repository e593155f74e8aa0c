import { type Check, failed, ok } from "../../core/check.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Embedder } from "./port.ts";

const patienceMs = 60_000;

/** Embeds one sentence and looks at the vector. */
export async function checkEmbedder(embedder: Embedder, clock: Clock): Promise<Check> {
  const name = "Embedder";
  const begun = clock.monotonic();
  try {
    const [vector] = await embedder.embed(["How many weeks of parental leave are there?"], "query", AbortSignal.timeout(patienceMs));
    const ms = Math.round(clock.monotonic() - begun);
    if (vector?.length === embedder.dimensions)
      return ok(name, `${embedder.id} embeds a sentence into ${vector.length} dimensions in ${ms} ms.`);
    return failed(
      name,
      `${embedder.id} gave ${vector?.length ?? 0} dimensions, not ${embedder.dimensions}.`,
      "Set FOOTNOTE_EMBEDDING_DIMENSIONS.",
    );
  } catch (thrown) {
    const reason = thrown instanceof AppError ? (thrown.detail ?? thrown.sentence) : "It did not answer.";
    return failed(
      name,
      `${embedder.id} does not work: ${reason}`,
      "Check FOOTNOTE_EMBEDDER and the FOOTNOTE_EMBEDDING_ settings; with the local one, install again.",
    );
  }
}
