import { expect, test } from "@jest/globals";
import type { Library, SearchOptions, TenantLibrary } from "../../../src/knowledge/library.ts";
import { documentFullTextSearch } from "../../../src/plugins/documents/tools/document-full-text-search.ts";
import { queryDocuments } from "../../../src/plugins/documents/tools/query-documents.ts";
import { contextFor } from "../../fakes/tool-context.ts";
import { handbook } from "./handbook.ts";

/** A library that notes what it was asked for. */
function noting() {
  const asked: SearchOptions[] = [];
  const note = async (_query: string, options: SearchOptions) => {
    asked.push(options);
    return { hits: [], notices: [] };
  };
  const library: Library = {
    forTenant: (tenant) => ({ ...handbook().forTenant(tenant), semantic: note, fullText: note, hybrid: note }) satisfies TenantLibrary,
  };
  return { library, asked };
}

test.each([
  ["query_documents", queryDocuments],
  ["document_full_text_search", documentFullTextSearch],
])("%s is narrowed by source, type, days and person, within what the readers may see", async (_, tool) => {
  const { library, asked } = noting();
  const narrowed = { source: "/policies/", type: "pdf", from: "2026-03-01", to: "2026-03-31", person: "alice" } as const;
  await tool(library).execute({ query: "leave", ...narrowed }, contextFor(["everyone"]));
  expect(asked[0]?.principals).toEqual(["everyone"]);
  expect(asked[0]?.filter).toEqual({
    source: "/policies/",
    formats: ["pdf"],
    from: new Date("2026-03-01T00:00:00Z"),
    before: new Date("2026-04-01T00:00:00Z"),
    person: "alice",
  });
  await tool(library).execute({ query: "leave" }, contextFor(["everyone"]));
  expect(asked[1]).not.toHaveProperty("filter");
});

test("a day that the calendar does not have is said to be none", async () => {
  const { library, asked } = noting();
  const result = await queryDocuments(library).execute({ query: "leave", from: "2026-02-30" }, contextFor(["everyone"]));
  expect(result).toMatchObject({ status: "error", error: { code: "BAD_PARAMETERS" } });
  expect(asked).toEqual([]);
});
