import type { DocumentPage, DocumentSummary, Library } from "../../../knowledge/library.ts";
import { defineTool, text } from "../../define.ts";
import { oneLine, quoted } from "../../wording.ts";

interface ListParams {
  readonly contains?: string;
  readonly page?: number;
}

/** Documents on one page of the list. */
const PAGE_SIZE = 25;

/** Which documents there are, for "what do you know about" and for finding one by its title. */
export const listDocuments = (library: Library) =>
  defineTool<ListParams>({
    name: "list_documents",
    description: `Lists the team's documents by title, ${PAGE_SIZE} at a time, with the ids that get_document_context takes.`,
    parameters: {
      type: "object",
      properties: {
        contains: { type: "string", minLength: 1, maxLength: 200, description: "Only documents whose title contains this." },
        page: { type: "integer", minimum: 1, maximum: 10_000, description: "Page of the list; 1 unless given." },
      },
    },
    annotations: { title: "List the documents", readOnly: true },
    describeCall: (params) =>
      params?.contains ? `Listing the documents whose title contains ${quoted(params.contains)}` : "Listing the documents",

    async execute({ contains, page = 1 }, { tenant, audience: { principals }, signal }) {
      signal.throwIfAborted();
      const window = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
      const list = await library.forTenant(tenant).list({ principals, ...window, ...(contains !== undefined && { contains }) });
      return text(shown(list, page), { count: list.documents.length });
    },
  });

function shown({ documents, total }: DocumentPage, page: number): string {
  if (total === 0) return "No documents found.";
  const pages = Math.ceil(total / PAGE_SIZE);
  const head = `${total} document${total === 1 ? "" : "s"}${pages > 1 ? `, page ${page} of ${pages}` : ""}:`;
  return [head, ...documents.map(line)].join("\n");
}

function line({ title, format, pages, passages, updatedAt, documentId }: DocumentSummary): string {
  const size = pages === undefined ? `${passages} passage${passages === 1 ? "" : "s"}` : `${pages} page${pages === 1 ? "" : "s"}`;
  const day = updatedAt.toISOString().slice(0, 10);
  return `- ${oneLine(title)} (${format}, ${size}, updated ${day}), document_id ${documentId}`;
}
