import { expect, test } from "@jest/globals";
import { documentFullTextSearch } from "../../../../src/plugins/documents/tools/document-full-text-search.ts";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { contextFor } from "../../../fakes/tool-context.ts";
import { handbook } from "../handbook.ts";

toolContract("document_full_text_search", () => {
  const library = handbook();
  return {
    tool: documentFullTextSearch(library),
    good: { query: "holiday" },
    bad: [{}, { query: "" }, { query: ["a"] }, { query: "x", limit: 0 }, { query: "x", limit: 21 }, "holiday"],
    context: (signal) => contextFor(["everyone"], { signal }),
    hang: () => {
      library.hanging = true;
    },
  };
});

test("searches by words alone, and for these readers alone", async () => {
  const asked: unknown[] = [];
  const library = handbook();
  const spied = {
    forTenant: (tenant: Parameters<typeof library.forTenant>[0]) => ({
      ...library.forTenant(tenant),
      fullText: async (query: string, { principals, limit }: { principals: readonly string[]; limit: number }) => {
        asked.push({ query, principals, limit });
        return { hits: [], notices: [] };
      },
    }),
  };
  await documentFullTextSearch(spied).execute({ query: "INV-2041" }, contextFor(["channel:C_BOARD"]));
  expect(asked).toEqual([{ query: "INV-2041", principals: ["channel:C_BOARD"], limit: 8 }]);
});

test("finds a forbidden word as little as an absent one", async () => {
  const search = (query: string, ...grants: Parameters<typeof contextFor>[0]) =>
    documentFullTextSearch(handbook()).execute({ query }, contextFor(grants));
  expect(await search("merger", "everyone")).toEqual(await search("nowhere", "everyone"));
  expect((await search("merger", "channel:C_BOARD")).metadata.count).toBe(1);
});

test("the line people see names the words", () =>
  expect(documentFullTextSearch(handbook()).describeCall?.({ query: "INV-2041" })).toBe(
    'Looking in the documents for the words "INV-2041"',
  ));
