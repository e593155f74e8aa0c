/**
 * The one form in which tool names are compared, so that a rule written as `Query-Documents` also holds for `query_documents`:
 * compatibility forms and case folded, everything between letters and digits one underscore.
 */
export const canonicalName = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
