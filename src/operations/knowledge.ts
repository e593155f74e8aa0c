/** What an operator does about the search itself, over all workspaces. */
export interface KnowledgeOperations {
  /** Compares full-text indexes with the database and mends them; FULL_TEXT_FAILED when no server is configured or it is away. */
  mendFullText(request: { readonly workspace?: string }): Promise<readonly MendedReport[]>;
  /** Embedding models that there are, and how far each has come. */
  embedders(): Promise<readonly EmbedderReport[]>;
  /** Prepares a model in the background and switches to it then; EMBEDDER_UNKNOWN, or EMBEDDER_FAILED when it cannot embed a sentence. */
  useEmbedder(name: string): Promise<readonly EmbedderReport[]>;
  /** Deletes a model's vectors; EMBEDDER_IN_USE. */
  forgetEmbedder(name: string): Promise<readonly EmbedderReport[]>;
}

export interface MendedReport {
  readonly workspace: string;
  /** Documents that were written anew, and those that the database does not know. */
  readonly rewritten: number;
  readonly removed: number;
  /** Whether the index was missing or set up otherwise. */
  readonly prepared: boolean;
}

export interface EmbedderReport {
  readonly name: string;
  readonly dimensions: number;
  /** "preparing": vectors are being made; questions are asked with the one in use until all are there. */
  readonly status: "in use" | "preparing" | "available";
  /** Passages of all workspaces, and how many have a vector of this model. */
  readonly passages: number;
  readonly embedded: number;
  /** Without an index every passage is compared. */
  readonly indexed: boolean;
  /** Why making its vectors does not go on at the moment; it is tried again. */
  readonly problem?: string;
}
