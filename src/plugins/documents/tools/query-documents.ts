import type { Library } from "../../../knowledge/library.ts";
import { defineTool } from "../../define.ts";
import { quoted } from "../../wording.ts";
import { filterOf, filterParameters } from "../filter.ts";
import { DEFAULT_HITS, foundPassages, limitParameter, noSuchDay, type SearchParams } from "../passages.ts";

/** Search by meaning and by words at once: the first tool for any question. */
export const queryDocuments = (library: Library) =>
  defineTool<SearchParams>({
    name: "query_documents",
    description:
      "Finds passages in the team's documents by meaning and by words. Use it first for any question the documents may answer. " +
      "For more text around a passage use get_document_context.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 1000, description: "What to look for, in a short sentence or a few words." },
        limit: limitParameter,
        ...filterParameters,
      },
      required: ["query"],
    },
    annotations: { title: "Search the documents", readOnly: true },
    describeCall: (params) => `Searching the documents for ${quoted(params?.query)}`,

    async execute({ query, limit = DEFAULT_HITS, ...narrowed }, { tenant, audience, signal }) {
      const filter = filterOf(narrowed);
      if (!filter) return noSuchDay();
      const options = { principals: audience.principals, limit, signal, ...filter };
      return foundPassages(await library.forTenant(tenant).hybrid(query, options));
    },
  });
