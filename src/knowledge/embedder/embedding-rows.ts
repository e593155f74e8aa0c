import type { PassageId } from "../../core/ids.ts";
import type { Embedder } from "./port.ts";

/** One tenant's vectors, as making them for another model needs them. */
export interface EmbeddingRows {
  /** Passages that have no vector of this model. */
  missing(model: string, limit: number): Promise<readonly BarePassage[]>;
  /** Passages that are gone by now are left out. */
  add(
    model: string,
    vectors: readonly { readonly passage: PassageId; readonly vector: Float32Array; readonly textHash: string }[],
  ): Promise<void>;
  progress(model: string): Promise<EmbeddingProgress>;
  /** Deletes this model's vectors. */
  forget(model: string): Promise<void>;
}

/** A passage with what belongs to the text that is embedded. */
export interface BarePassage {
  readonly id: PassageId;
  readonly title: string;
  readonly heading?: string;
  readonly text: string;
}

export interface EmbeddingProgress {
  readonly passages: number;
  /** How many of them have a vector. */
  readonly embedded: number;
}

/** Which model questions are asked with: one choice for all processes of a database. */
export interface EmbedderUse {
  /** Notes what the operator's configuration names: when that has changed it is wanted. The first one ever is in use at once. */
  configure(embedder: EmbedderSize): Promise<void>;
  read(): Promise<EmbedderChoice>;
  want(embedder: EmbedderSize): Promise<void>;
  /** Its vectors are deleted: it needs no index any more. */
  forget(embedder: string): Promise<void>;
  /** Whether the vectors of this embedder have an index. */
  hasIndex(embedder: string): Promise<boolean>;
  /** The right to make vectors, which one process has at a time. Undefined when another one has it. */
  claim(leaseMs: number): Promise<string | undefined>;
  renew(token: string, leaseMs: number): Promise<boolean>;
  release(token: string): Promise<void>;
  /** Questions are asked with it from now on, if it is still what is wanted. */
  switchTo(embedder: string): Promise<void>;
}

/** What an index needs to know of an embedder. */
export type EmbedderSize = Pick<Embedder, "id" | "dimensions">;

/** Ids of embedders. */
export interface EmbedderChoice {
  readonly current: string;
  /** The same, unless another one is being prepared. */
  readonly wanted: string;
}
