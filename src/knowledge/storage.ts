import type { DocumentId, PassageId, TenantId } from "../core/ids.ts";
import type { Principal } from "../core/principal.ts";
import type { ContextRequest, DocumentExcerpt, DocumentFilter, DocumentFormat, DocumentPage, ListOptions } from "./library.ts";
import type { PlacedHit } from "./retrieve/merge-neighbours.ts";

/** Where documents and passages are kept. `forTenant` is the only way in; what it gives is bound to that tenant. */
export interface KnowledgeStorage {
  forTenant(tenant: TenantId): TenantKnowledge;
}

export interface TenantKnowledge {
  readonly documents: DocumentRows;
  readonly passages: PassageRows;
}

/** Documents as ingestion and listing need them. */
export interface DocumentRows {
  /** @param holder whose grants are meant, where several hold the document */
  findBySource(sourceUri: string, holder?: string): Promise<StoredDocument | undefined>;
  /**
   * Puts a document with all its passages in place of the one of the same source: readers see the old or the new one, never neither, nor a part of
   * one. The document keeps its id; a passage whose text did not change keeps its id too.
   * @param onProgress passages stored, where that takes a while
   * @throws AppError DOCUMENT_BUSY when another process began to store the same document
   */
  replace(document: NewDocument, onProgress?: (done: number, total: number) => void): Promise<DocumentId>;
  /** Vectors of texts that this tenant has stored already, by their hashes. */
  knownVectors(model: string, textHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** False when the document is gone. @param holder whose grants alone are replaced, where several hold the document */
  setGrants(document: DocumentId, grants: readonly Principal[], holder?: string): Promise<boolean>;
  /** False when there was none. */
  remove(document: DocumentId): Promise<boolean>;
  /** A holder lets go: with its grants alone, or with the document when nobody else holds it ("gone"). */
  release(document: DocumentId, holder: string): Promise<"gone" | "held">;
  list(options: ListOptions): Promise<DocumentPage>;
  /** How often this content made this version of the reader fail. */
  countFailedReadings(reading: Reading): Promise<number>;
  addFailedReading(reading: Reading, at: Date): Promise<void>;
}

/** A content and the version of what reads it: a later version gets another chance. */
export interface Reading {
  /** SHA-256 of the file. */
  readonly contentHash: string;
  readonly reader: number;
}

export interface StoredDocument {
  readonly id: DocumentId;
  readonly contentHash: string;
  readonly recipe: string;
  /** Absent when the holder that was asked for does not hold it. */
  readonly grants?: readonly Principal[];
  readonly passages: number;
  readonly pages?: number;
  readonly notes: readonly string[];
}

export interface NewDocument {
  readonly title: string;
  /** What makes it the same document when it comes again. */
  readonly sourceUri: string;
  /** SHA-256 of the file. */
  readonly contentHash: string;
  /** Version of what makes the passages; another one means that they must be made anew. */
  readonly recipe: string;
  readonly format: DocumentFormat;
  /** Who wrote or sent it, as it says itself. */
  readonly author?: string;
  readonly pages?: number;
  readonly notes: readonly string[];
  readonly ingestedAt: Date;
  readonly grants: readonly Principal[];
  /** Whose grants these are: others that hold the document keep theirs. Absent: they are all there are. */
  readonly holder?: string;
  readonly passages: readonly NewPassage[];
}

export interface NewPassage {
  readonly text: string;
  readonly page?: number;
  readonly pageEnd?: number;
  readonly pageName?: string;
  readonly heading?: string;
  readonly tokens: number;
  /** Words for full text search, as `terms` makes them, with repetitions. */
  readonly terms: readonly string[];
  /** With the hash of what was embedded, by which the vector is found again. */
  readonly embedding: { readonly model: string; readonly vector: Float32Array; readonly textHash?: string };
}

/** Searching and reading passages. The principals are part of every statement: what they may not see is never read. */
export interface PassageRows {
  /** The nearest by cosine, best first, and what is usual. */
  byVector(query: VectorQuery, principals: readonly Principal[], limit: number, filter?: DocumentFilter): Promise<Nearest>;
  /** BM25 over any of the words, best first. Word frequencies are counted over what the principals may see (and the filter lets through). */
  byTerms(words: readonly QueryTerms[], principals: readonly Principal[], limit: number, filter?: DocumentFilter): Promise<TermMatches>;
  /** How many of the passages that the principals may see hold each term; terms that none holds are missing. */
  termFrequencies(
    terms: readonly string[],
    principals: readonly Principal[],
    filter?: DocumentFilter,
  ): Promise<ReadonlyMap<string, number>>;
  /** Those of the passages that exist and that the principals may see at this moment. */
  visible(ids: readonly PassageId[], principals: readonly Principal[]): Promise<ReadonlySet<PassageId>>;
  /** In the order of the ids; those that are gone or may no longer be seen are left out. */
  read(ids: readonly PassageId[], principals: readonly Principal[]): Promise<readonly Omit<PlacedHit, "score">[]>;
  context(where: ContextRequest, principals: readonly Principal[]): Promise<DocumentExcerpt | undefined>;
}

export interface VectorQuery {
  readonly model: string;
  readonly vector: Float32Array;
}

export interface Nearest {
  readonly candidates: readonly VectorCandidate[];
  /** Cosines of the query with a random sample (200 at most) of what the principals may see. */
  readonly sample: { readonly count: number; readonly mean: number };
  /** Whether all that the principals may see was compared; otherwise an index was asked, which may miss some. */
  readonly exact: boolean;
}

export interface VectorCandidate {
  readonly passageId: PassageId;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** A word of a query as the terms that may stand for it; their occurrences in a passage are counted together. */
export type QueryTerms = readonly string[];

export interface TermMatches {
  readonly candidates: readonly TermCandidate[];
  /** For each word of the query, in order: how many visible passages hold it, and its weight (inverse document frequency). */
  readonly words: readonly { readonly passages: number; readonly weight: number }[];
}

export interface TermCandidate {
  readonly passageId: PassageId;
  /** BM25. */
  readonly score: number;
  /** The BM25 no passage can exceed for this query: for putting scores on one scale. */
  readonly bound: number;
  /** 0 to 1: how much of the query's information (inverse document frequency) the passage's words hold. */
  readonly coverage: number;
}
