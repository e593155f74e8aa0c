import { createHash } from "node:crypto";
import type { Embedder } from "../../src/knowledge/embedder/port.ts";

export interface WordEmbedder extends Embedder {
  /** Every text embedded so far. */
  readonly embedded: string[];
  /** When set, every call fails with it. */
  failure: Error | undefined;
}

const DIMENSIONS = 64;

/** A predictable embedder: texts are close when they share words. */
export function wordEmbedder(id = "words-64", dimensions = DIMENSIONS): WordEmbedder {
  const embedder: WordEmbedder = {
    id,
    dimensions,
    weight: 0.3,
    scale: { unrelated: 0, related: 1 },
    embedded: [],
    failure: undefined,
    reads: () => true,
    async embed(texts, _kind, signal) {
      signal.throwIfAborted();
      if (embedder.failure) throw embedder.failure;
      embedder.embedded.push(...texts);
      return texts.map((text) => vectorOf(text, dimensions));
    },
    async close() {},
  };
  return embedder;
}

export function vectorOf(text: string, dimensions = DIMENSIONS): Float32Array {
  const sums = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const slot = (createHash("sha256").update(word).digest()[0] ?? 0) % dimensions;
    sums[slot] = (sums[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...sums) || 1;
  return sums.map((value) => value / length);
}
