export interface EvaluationRequest {
  /** Folders of judged sets. */
  readonly folders: readonly string[];
  /** Of folders with several languages only these. */
  readonly languages?: readonly string[];
  /** So many questions of each set, evenly picked; all without it. */
  readonly questions?: number;
  /** Folder in which the vectors of texts are kept for the next run. */
  readonly cache?: string;
}

/** What each stage of the search is worth on one judged set. */
export interface EvaluationReport {
  readonly set: string;
  readonly embedder: string;
  readonly documents: number;
  readonly passages: number;
  readonly questions: number;
  /** By stage, in the order of a search: quality from 0 to 1, times in milliseconds. */
  readonly stages: Readonly<
    Record<
      string,
      { readonly ndcg10: number; readonly recall10: number; readonly recall100: number; readonly p50: number; readonly p95: number }
    >
  >;
}
