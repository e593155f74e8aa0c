import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Embedder } from "./port.ts";

/** A vector is filed under the SHA-256 of the embedder's name and the passage's text. */
const KEY_BYTES = 32;

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
      known ??= readVectors(file, embedder.dimensions);
      const found = await known;
      const vectors = texts.map((text) => found.get(keyOf(embedder.id, text)));
      const missing = texts.filter((_, index) => !vectors[index]);
      const made = missing.length > 0 ? await embedder.embed(missing, kind, signal) : [];
      let next = 0;
      return vectors.map((vector) => vector ?? (made[next++] as Float32Array));
    },
  };
}

/** The content of such a file: for each passage its key and its vector. */
export function packVectors(embedder: Pick<Embedder, "id">, passages: ReadonlyMap<string, Float32Array>): Buffer {
  return Buffer.concat(
    [...passages].flatMap(([text, vector]) => [
      Buffer.from(keyOf(embedder.id, text), "hex"),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ]),
  );
}

const keyOf = (id: string, text: string): string => createHash("sha256").update(`${id}\n${text}`).digest("hex");

async function readVectors(file: string, dimensions: number): Promise<ReadonlyMap<string, Float32Array>> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const size = KEY_BYTES + dimensions * Float32Array.BYTES_PER_ELEMENT;
  const found = new Map<string, Float32Array>();
  for (let at = 0; at + size <= bytes.length; at += size) {
    const vector = new Float32Array(Uint8Array.from(bytes.subarray(at + KEY_BYTES, at + size)).buffer);
    found.set(bytes.toString("hex", at, at + KEY_BYTES), vector);
  }
  return found;
}
