import type { Library } from "../../../knowledge/library.ts";
import { defineTool } from "../../define.ts";
import { quoted } from "../../wording.ts";
import { filterOf, filterParameters } from "../filter.ts";
import { DEFAULT_HITS, foundPassages, limitParameter, noSuchDay, type SearchParams } from "../passages.ts";

/** Search by words alone: for names, numbers and codes, where meaning does not help. */
export const documentFullTextSearch = (library: Library) =>
  defineTool<SearchParams>({
    name: "document_full_text_search",
    description:
      "Finds passages in the team's documents that contain the given words. Use it for names, numbers, codes and exact terms; " +
      "for questions use query_documents.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 1000, description: "The words to find, best the rarest ones." },
        limit: limitParameter,
        ...filterParameters,
      },
      required: ["query"],
    },
    annotations: { title: "Search the documents' words", readOnly: true },
    describeCall: (params) => `Looking in the documents for the words ${quoted(params?.query)}`,

    async execute({ query, limit = DEFAULT_HITS, ...narrowed }, { tenant, audience, signal }) {
      const filter = filterOf(narrowed);
      if (!filter) return noSuchDay();
      const options = { principals: audience.principals, limit, signal, ...filter };
      return foundPassages(await library.forTenant(tenant).fullText(query, options));
    },
  });
