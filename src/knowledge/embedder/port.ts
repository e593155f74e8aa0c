/** The model that is in use at this moment: the operator may switch at any. Whoever asks it twice may get two. */
export type EmbedderInUse = () => Embedder;

/** Turns texts into vectors whose cosine says how close their meanings are. */
export interface Embedder {
  /** Names model and dimension: vectors with another id are never compared with these. */
  readonly id: string;
  readonly dimensions: number;
  /** Weight of this model's similarities in hybrid search, 0 to 1; the rest is full text's. */
  readonly weight: number;
  /** Cosine of texts that have nothing to do with each other, and of a question with its answer: they put similarities on one scale. */
  readonly scale: { readonly unrelated: number; readonly related: number };
  /** How the model counts, and how long a passage should be at most, in its tokens. Absent: 256 as language models count. */
  readonly tokens?: { count(text: string): number; readonly passage: number };
  /** Whether the model knows the language of this text; where it doesn't, similarities mean nothing and words alone are searched. */
  reads(text: string): boolean;
  /**
   * One vector of unit length per text, in order. Throws AppError EMBEDDER_FAILED, or the signal's reason.
   * @param kind some models treat questions and passages differently
   */
  embed(texts: readonly string[], kind: "query" | "passage", signal: AbortSignal): Promise<Float32Array[]>;
  /** Loads what the first question would otherwise wait for. Absent where there is nothing to load. */
  warm?(): void;
  close(): Promise<void>;
}
