import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Embedder } from "./port.ts";

/** Texts embedded before they are written down: little is lost when a long run is broken off. */
const BATCH = 64;
/** A vector is filed under the SHA-256 of its kind and text. */
const KEY_BYTES = 32;

/**
 * The same embedder, with every vector kept in a file of the folder: for measuring over and over the same texts. Not for the running program,
 * which keeps its vectors in the database. The file may be deleted at any time.
 */
export async function cachedEmbedder(embedder: Embedder, folder: string): Promise<Embedder> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${embedder.id.replace(/[^\w.-]/g, "_")}.vectors`);
  const known = await load(file, embedder.dimensions);
  const keyOf = (kind: string, text: string) => createHash("sha256").update(`${kind}\n${text}`).digest();
  return {
    ...embedder,
    reads: (text) => embedder.reads(text),
    close: () => embedder.close(),
    async embed(given, kind, signal) {
      const texts = given.map((text) => text.trim());
      const keys = texts.map((text) => keyOf(kind, text));
      const missing = [...new Set(texts.filter((_, index) => !known.has(hex(keys[index]))))];
      for (let from = 0; from < missing.length; from += BATCH) {
        const some = missing.slice(from, from + BATCH);
        const vectors = await embedder.embed(some, kind, signal);
        const records = some.map((text, index) => {
          const key = keyOf(kind, text);
          const vector = vectors[index] ?? new Float32Array(embedder.dimensions);
          known.set(hex(key), vector);
          return Buffer.concat([key, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]);
        });
        await appendFile(file, Buffer.concat(records));
      }
      return keys.map((key) => known.get(hex(key)) ?? new Float32Array(embedder.dimensions));
    },
  };
}

const hex = (key: Buffer | undefined): string => key?.toString("hex") ?? "";

async function load(file: string, dimensions: number): Promise<Map<string, Float32Array>> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const size = KEY_BYTES + dimensions * Float32Array.BYTES_PER_ELEMENT;
  // A run that was broken off may have left a record cut short, which would shift all that come after it.
  if (bytes.length % size > 0) await truncate(file, bytes.length - (bytes.length % size));
  const found = new Map<string, Float32Array>();
  for (let at = 0; at + size <= bytes.length; at += size) {
    const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + KEY_BYTES, bytes.byteOffset + at + size));
    found.set(bytes.toString("hex", at, at + KEY_BYTES), vector);
  }
  return found;
}
