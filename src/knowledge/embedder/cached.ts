import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Embedder } from "./port.ts";
import { readVectors, recordBytes, vectorKey, vectorRecord } from "./vector-file.ts";

/** Texts embedded before they are written down: little is lost when a long run is broken off. */
const BATCH = 64;

/**
 * The same embedder, with every vector kept in a file of the folder: for measuring over and over the same texts. Not for the running program,
 * which keeps its vectors in the database. The file may be deleted at any time.
 */
export async function cachedEmbedder(embedder: Embedder, folder: string): Promise<Embedder> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${embedder.id.replace(/[^\w.-]/g, "_")}.vectors`);
  const known = await load(file, embedder.dimensions);
  return {
    ...embedder,
    reads: (text) => embedder.reads(text),
    close: () => embedder.close(),
    async embed(given, kind, signal) {
      const texts = given.map((text) => text.trim());
      const keys = texts.map((text) => vectorKey(kind, text));
      const missing = [...new Set(texts.filter((_, index) => !known.has(keys[index] ?? "")))];
      for (let from = 0; from < missing.length; from += BATCH) {
        const some = missing.slice(from, from + BATCH);
        const vectors = await embedder.embed(some, kind, signal);
        const records = some.map((text, index) => {
          const key = vectorKey(kind, text);
          const vector = vectors[index] ?? new Float32Array(embedder.dimensions);
          known.set(key, vector);
          return vectorRecord(key, vector);
        });
        await appendFile(file, Buffer.concat(records));
      }
      return keys.map((key) => known.get(key) ?? new Float32Array(embedder.dimensions));
    },
  };
}

async function load(file: string, dimensions: number): Promise<Map<string, Float32Array>> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const size = recordBytes(dimensions);
  // A run that was broken off may have left a record cut short, which would shift all that come after it.
  if (bytes.length % size > 0) await truncate(file, bytes.length - (bytes.length % size));
  return readVectors(bytes, dimensions);
}
