import type { Answer } from "../../agent/client.ts";
import type { Citation } from "../../agent/events.ts";
import type { AskReport, CitationReport } from "../../operations.ts";

/** An answer in the shape that the terminal's --json and the API promise. */
export const askReport = ({ status, text, citations, tools, traceId, error }: Answer): AskReport => ({
  status,
  answer: error ? error.message : text,
  citations: citations.map(citationReport),
  tools: tools.map(({ name, status: outcome, ms }) => ({ name, status: outcome, ms: Math.round(ms) })),
  traceId,
});

/** A cited source as programs get it. */
export const citationReport = ({ n, source, url }: Citation): CitationReport => ({
  n,
  title: source.title,
  page: source.page ?? null,
  url: url ?? source.url ?? null,
  quote: source.passage,
});
