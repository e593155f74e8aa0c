import type { Source } from "../contract.ts";
import type { WebPage } from "./page.ts";
import type { WebResult } from "./search.ts";

/** A result as a source; those further down count for less. */
export const sourceOf = ({ title, url, snippet, published }: WebResult, rank: number, retrievedAt: Date): Source => ({
  id: url,
  title,
  url,
  passage: snippet,
  relevance: Math.round(100 / (1 + rank / 10)) / 100,
  ...dates(published, retrievedAt),
});

/** A portion of a page as a source of its own: the snippet of the same page may have a number already. */
export function pageSource({ url, title, markdown, pageStarts, published, retrievedAt }: WebPage, start: number, end: number): Source {
  const pageAt = (place: number) => pageStarts.findLast(({ at }) => at <= place)?.page;
  const [page, pageEnd] = [pageAt(start), pageAt(end - 1)];
  return {
    id: `page ${start} of ${url}`,
    title,
    url,
    passage: markdown.slice(start, end),
    ...(page !== undefined && { page }),
    ...(pageEnd !== undefined && pageEnd !== page && { pageEnd }),
    relevance: 1,
    ...dates(published, retrievedAt),
  };
}

const dates = (published: Date | undefined, retrievedAt: Date): Pick<Source, "timestamp" | "retrievedAt"> => ({
  ...(published && { timestamp: published.toISOString() }),
  retrievedAt: retrievedAt.toISOString(),
});

/** "2026-11-28 10:00 UTC". */
export const moment = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
