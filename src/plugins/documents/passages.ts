import type { ExcerptPassage, Found, PassageHit } from "../../knowledge/library.ts";
import type { Source, ToolResult } from "../contract.ts";
import { failure, text } from "../define.ts";
import type { FilterParams } from "./filter.ts";

/** Parameters of both searches. */
export interface SearchParams extends FilterParams {
  readonly query: string;
  readonly limit?: number;
}

/** The answer to a `from` or `to` that the calendar does not have. */
export const noSuchDay = (): ToolResult => failure("BAD_PARAMETERS", "There is no such day. Write days as 2026-03-01.");

/** Hits given when the model names no number: enough to compare, few enough to read. */
export const DEFAULT_HITS = 8;
/** Most hits one search gives. */
const MAX_HITS = 20;

/** Schema of the `limit` parameter of both searches. */
export const limitParameter = {
  type: "integer",
  minimum: 1,
  maximum: MAX_HITS,
  description: `Most passages wanted; ${DEFAULT_HITS} unless given.`,
} as const;

/**
 * The relevance of a passage that was read because of where it stands. It was not scored, so it takes the middle; a passage
 * that a search has found in the same answer keeps its own.
 */
const UNSCORED = 0.5;

/** A search's hits as sources. Nothing found reads the same whether nothing matched or nothing may be seen. */
export function foundPassages({ hits, notices }: Found): ToolResult {
  const sources = hits.map(hitSource);
  return text(sources.length === 0 ? "No passages found." : `${counted(sources.length)} found.`, {
    sources,
    count: sources.length,
    ...(notices.length > 0 && { notices }),
  });
}

/** A passage of an excerpt as a source, so that what was read on the next page can be cited with that page. */
export const excerptSource = (passage: ExcerptPassage, document: Pick<PassageHit, "documentId" | "title">): Source => ({
  ...place(passage),
  title: document.title,
  documentId: document.documentId,
  relevance: UNSCORED,
});

/** "1 passage", "5 passages". */
export const counted = (passages: number): string => `${passages} passage${passages === 1 ? "" : "s"}`;

const hitSource = (hit: PassageHit): Source => ({
  ...place(hit),
  title: hit.title,
  documentId: hit.documentId,
  relevance: hit.score,
  timestamp: hit.updatedAt.toISOString(),
});

const place = ({ passageId, text, page, pageEnd, pageName, heading }: ExcerptPassage) => ({
  id: passageId,
  passage: text,
  ...(page !== undefined && { page }),
  ...(pageEnd !== undefined && { pageEnd }),
  ...(pageName !== undefined && { pageName }),
  ...(heading !== undefined && { heading }),
});
