import { documentId, isUuid, passageId } from "../../../core/ids.ts";
import type { ContextRequest, DocumentExcerpt, Library } from "../../../knowledge/library.ts";
import type { ToolResult } from "../../contract.ts";
import { defineTool, failure, text } from "../../define.ts";
import { oneLine } from "../../wording.ts";
import { counted, excerptSource } from "../passages.ts";

interface ContextParams {
  readonly passage_id?: string;
  readonly before?: number;
  readonly after?: number;
  readonly document_id?: string;
  readonly from_page?: number;
  readonly to_page?: number;
}

/** Neighbours on either side unless the model names a number. */
const DEFAULT_NEIGHBOURS = 2;
/** Most neighbours on one side. */
const MAX_NEIGHBOURS = 20;
/** Highest page number taken: beyond any document, within what the database can compare. */
const MAX_PAGE = 1_000_000;
/** Pages read when the model names only the first one. */
const DEFAULT_PAGES = 3;

/** The same words for an absent, a forbidden and a malformed id: the answer must not tell them apart. */
const notFound = (): ToolResult => failure("NOT_FOUND", "There is no such passage or document.");

const neighbours = (side: string) => ({
  type: "integer",
  minimum: 0,
  maximum: MAX_NEIGHBOURS,
  description: `With passage_id: how many passages ${side} it to read; ${DEFAULT_NEIGHBOURS} unless given.`,
});

/** Reads on where a search has hit: what was found is rarely the whole rule. */
export const getDocumentContext = (library: Library) =>
  defineTool<ContextParams>({
    name: "get_document_context",
    description:
      "Reads the text around a passage, or some pages of a document. Give either passage_id (from a search's sources) or " +
      "document_id (from a search's sources or list_documents), not both. What it reads can be cited like any source.",
    parameters: {
      type: "object",
      properties: {
        passage_id: { type: "string", description: "Id of a passage that a search has found." },
        before: neighbours("before"),
        after: neighbours("after"),
        document_id: { type: "string", description: "Id of a document, to read pages of it." },
        from_page: { type: "integer", minimum: 1, maximum: MAX_PAGE, description: "With document_id: first page to read; 1 unless given." },
        to_page: {
          type: "integer",
          minimum: 1,
          maximum: MAX_PAGE,
          description: `With document_id: last page to read; ${DEFAULT_PAGES} pages in all unless given.`,
        },
      },
    },
    annotations: { title: "Read on in a document", readOnly: true },
    describeCall: (params) =>
      params?.passage_id ? "Reading the text around a passage" : `Reading ${pageRange(params ?? {})} of a document`,

    async execute(params, { tenant, audience, signal }) {
      const where = requested(params);
      if ("status" in where) return where;
      signal.throwIfAborted();
      const excerpt = await library.forTenant(tenant).context(where, { principals: audience.principals });
      signal.throwIfAborted();
      return excerpt ? shown(excerpt) : notFound();
    },
  });

function requested(params: ContextParams): ContextRequest | ToolResult {
  const { passage_id, document_id, before = DEFAULT_NEIGHBOURS, after = DEFAULT_NEIGHBOURS } = params;
  if ((passage_id === undefined) === (document_id === undefined))
    return failure("BAD_PARAMETERS", "Give either passage_id or document_id, and not both.");
  if (passage_id !== undefined) return isUuid(passage_id) ? { passage: passageId(passage_id), before, after } : notFound();

  const { from, to } = pagesOf(params);
  if (to < from) return failure("BAD_PARAMETERS", "to_page must not be smaller than from_page.");
  const id = document_id ?? "";
  return isUuid(id) ? { document: documentId(id), fromPage: from, toPage: to } : notFound();
}

function shown(excerpt: DocumentExcerpt): ToolResult {
  const { title, pages, passages, truncated } = excerpt;
  const size = pages === undefined ? "a document without pages" : `a document of ${pages} page${pages === 1 ? "" : "s"}`;
  if (passages.length === 0 && pages === undefined)
    return text(`"${oneLine(title)}" has no pages. Find a passage of it with query_documents, then read around its passage_id.`);
  const rest = truncated ? " There is more than this: ask for fewer at a time to read on." : "";
  return text(`${counted(passages.length)} of "${oneLine(title)}", ${size}, in reading order.${rest}`, {
    sources: passages.map((passage) => excerptSource(passage, excerpt)),
    count: passages.length,
  });
}

const pagesOf = ({ from_page: from = 1, to_page: to = from + DEFAULT_PAGES - 1 }: ContextParams) => ({ from, to });

function pageRange(params: ContextParams): string {
  const { from, to } = pagesOf(params);
  return from === to ? `page ${from}` : `pages ${from} to ${to}`;
}
