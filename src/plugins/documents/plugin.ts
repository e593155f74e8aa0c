import type { Library } from "../../knowledge/library.ts";
import type { Plugin } from "../contract.ts";
import { documentFullTextSearch } from "./tools/document-full-text-search.ts";
import { getDocumentContext } from "./tools/get-document-context.ts";
import { listDocuments } from "./tools/list-documents.ts";
import { queryDocuments } from "./tools/query-documents.ts";

/** The team's own documents: find, read around, list. */
export const documents = (library: Library): Plugin => ({
  name: "documents",
  tools: [queryDocuments(library), documentFullTextSearch(library), getDocumentContext(library), listDocuments(library)],
});
