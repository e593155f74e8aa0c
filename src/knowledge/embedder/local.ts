import { compiledEntry } from "../../core/compiled-entry.ts";
import { languageOf } from "../full-text/languages.ts";
import { EmbedThread } from "./embed-thread.ts";
import type { Embedder } from "./port.ts";

const DIMENSIONS = 512;

/**
 * Universal Sentence Encoder lite: English, 512 dimensions, in a thread of its own, no network. It knows paraphrases but little
 * vocabulary, hence the small weight beside full text.
 */
export function localEmbedder(): Embedder {
  const entry = compiledEntry("./local-worker.ts", import.meta.url);
  const threads = { query: new EmbedThread(entry, { behindAnswers: false }), passage: new EmbedThread(entry, { behindAnswers: true }) };
  return {
    id: "use-lite-512",
    dimensions: DIMENSIONS,
    weight: 0.25,
    scale: { unrelated: 0.15, related: 0.6 },
    reads: mayBeEnglish,
    embed: (texts, kind, signal) => threads[kind].embed(texts, DIMENSIONS, signal),
    warm: () => threads.query.warm(),
    async close() {
      await Promise.all([threads.query.close(), threads.passage.close()]);
    },
  };
}

/** The model's vocabulary is English; of other languages it sees mostly unknown words, which are all alike to it. */
function mayBeEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters && (languageOf(text) ?? "en") === "en";
}
