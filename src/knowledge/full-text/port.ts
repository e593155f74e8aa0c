import type { PassageId, TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";
import type { DocumentFilter } from "../library.ts";
import type { Scored } from "../retrieve/scored.ts";

/** Search by words: in the database, or in a server beside it. */
export interface FullTextSearch {
  /**
   * Every hit is one that the principals may see at this moment, by the database's word.
   * @throws AppError FULL_TEXT_FAILED when a server beside the database does not answer; the signal's reason
   */
  search(tenant: TenantId, query: string, scope: SearchScope & { readonly signal: AbortSignal }): Promise<FoundByWords>;
}

/** Who reads, and what is searched. */
export interface SearchScope {
  readonly principals: readonly Principal[];
  readonly filter?: DocumentFilter | undefined;
  /** Most candidates. */
  readonly limit: number;
}

/** A word of the query as it was searched, and how much it tells: rare words more. */
export interface WeightedWord {
  /** As the query has it, in lower case, accents kept. */
  readonly written: string;
  readonly terms: readonly string[];
  readonly weight: number;
}

export interface FoundByWords {
  /** Best first; the score is a share of the most that any passage could reach. */
  readonly hits: readonly (Scored & { readonly passageId: PassageId })[];
  readonly words: readonly WeightedWord[];
}
