import { describe, expect, test } from "@jest/globals";
import type { Principal } from "../../../../src/core/principal.ts";
import { queryDocuments } from "../../../../src/plugins/documents/tools/query-documents.ts";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { documentIdOf, passageIdOf } from "../../../fakes/memory-library.ts";
import { contextFor, globex } from "../../../fakes/tool-context.ts";
import { handbook } from "../handbook.ts";

toolContract("query_documents", () => {
  const library = handbook();
  return {
    tool: queryDocuments(library),
    good: { query: "parental leave" },
    bad: [{}, { query: "" }, { query: 7 }, { query: "x", limit: 0 }, { query: "x", limit: 21 }, { query: "x", limit: 1.5 }, null],
    context: (signal) => contextFor(["everyone"], { signal }),
    hang: () => {
      library.hanging = true;
    },
  };
});

const search = (grants: Principal[], params: { query: string; limit?: number } = { query: "leave" }, library = handbook()) =>
  queryDocuments(library).execute(params, contextFor(grants));
const titles = async (...grants: Principal[]) => (await search(grants)).metadata.sources?.map(({ title }) => title);

describe("what a search gives", () => {
  test("passages as sources with title, page, relevance, date and ids, best first", async () => {
    const { content, metadata } = await search(["everyone"], { query: "parental leave" });
    expect(content).toBe("3 passages found.");
    expect(metadata.sources?.[0]).toEqual({
      id: passageIdOf("Leave", 1),
      documentId: documentIdOf("Leave"),
      title: "Leave",
      page: 1,
      passage: "Parental leave lasts 26 weeks.",
      relevance: 1,
      timestamp: "2026-03-01T09:00:00.000Z",
    });
  });

  test("as many as asked for", async () => expect((await search(["everyone"], { query: "leave", limit: 2 })).metadata.count).toBe(2));

  test("what could not be searched is said to people", async () => {
    const library = handbook();
    library.notices = ["Full text was not searched."];
    expect((await search(["everyone"], undefined, library)).metadata.notices).toEqual(["Full text was not searched."]);
  });
});

describe("what a search must not give", () => {
  test.each<[string, Principal[], string[]]>([
    ["the workspace's documents for the workspace", ["everyone"], ["Leave", "Leave", "Leave"]],
    ["a channel's documents in that channel only", ["channel:C_BOARD"], ["Board minutes"]],
    ["not in another channel", ["channel:C_GENERAL"], []],
    ["a person's documents to that person only", ["person:U_BOB"], ["Bob's review"]],
    ["not to another person", ["person:U_ALICE"], []],
    ["nothing for no grants", [], []],
  ])("%s", async (_, grants, expected) => expect(await titles(...grants)).toEqual(expected));

  test("another workspace's documents of the same name", async () => {
    const own = await search(["everyone"]);
    const other = await queryDocuments(handbook()).execute({ query: "leave" }, contextFor(["everyone"], { tenant: globex }));
    expect(JSON.stringify(own)).not.toMatch(/99 weeks|ZEBRA/);
    expect(JSON.stringify(other)).toMatch(/99 weeks/);
  });

  test("a hint that something was hidden: forbidden and absent read the same", async () => {
    const forbidden = await search(["everyone"], { query: "merger" });
    const absent = await search(["everyone"], { query: "nowhere" });
    expect(forbidden).toEqual(absent);
    expect((await search(["channel:C_BOARD"], { query: "merger" })).content).toBe("1 passage found.");
  });
});

test("the line people see names the query, on one line and not too long", () => {
  const { describeCall } = queryDocuments(handbook());
  expect(describeCall?.({ query: "parental leave" })).toBe('Searching the documents for "parental leave"');
  expect(describeCall?.({ query: `a\n${"b".repeat(200)}` })).toMatch(/^Searching the documents for "a b{77}…"$/);
});
