import { readFile } from "node:fs/promises";
import type { Embedder } from "./port.ts";
import { readVectors, vectorKey, vectorRecord } from "./vector-file.ts";

/**
 * The same embedder for which the vectors of some passages are there already, in a file that was made beforehand (see `packVectors`):
 * what the program brings along need not be embedded at its first start. A passage that changed is simply not found, so that nothing
 * stale is ever used; without the file everything is embedded.
 */
export function withKnownVectors(embedder: Embedder, file: string): Embedder {
  let known: Promise<ReadonlyMap<string, Float32Array>> | undefined;
  return {
    ...embedder,
    async embed(texts, kind, signal) {
      if (kind === "query") return embedder.embed(texts, kind, signal);
      known ??= readFile(file)
        .catch(() => Buffer.alloc(0))
        .then((bytes) => readVectors(bytes, embedder.dimensions));
      const found = await known;
      const vectors = texts.map((text) => found.get(vectorKey(embedder.id, text)));
      const missing = texts.filter((_, index) => !vectors[index]);
      const made = missing.length > 0 ? await embedder.embed(missing, kind, signal) : [];
      let next = 0;
      return vectors.map((vector) => vector ?? (made[next++] as Float32Array));
    },
  };
}

/** The content of such a file: each passage's vector under the embedder's name and the passage's text. */
export const packVectors = ({ id }: Pick<Embedder, "id">, passages: ReadonlyMap<string, Float32Array>): Buffer =>
  Buffer.concat([...passages].map(([text, vector]) => vectorRecord(vectorKey(id, text), vector)));
