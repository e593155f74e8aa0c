import { describe, expect, test } from "@jest/globals";
import type { Principal } from "../../../../src/core/principal.ts";
import { listDocuments } from "../../../../src/plugins/documents/tools/list-documents.ts";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { documentIdOf, MemoryLibrary } from "../../../fakes/memory-library.ts";
import { acme, contextFor, globex } from "../../../fakes/tool-context.ts";
import { handbook } from "../handbook.ts";

toolContract("list_documents", () => ({
  tool: listDocuments(handbook()),
  good: {},
  bad: [{ contains: "" }, { contains: 7 }, { page: 0 }, { page: "1" }, { page: 10_001 }],
  context: (signal) => contextFor(["everyone"], { signal }),
}));

const list = async (grants: Principal[], params: object = {}) =>
  (await listDocuments(handbook()).execute(params, contextFor(grants))).content;

describe("which documents are listed", () => {
  test("those the readers may see, with what is needed to read on", async () =>
    expect(await list(["everyone"])).toBe(`1 document:\n- Leave (pdf, 3 pages, updated 2026-03-01), document_id ${documentIdOf("Leave")}`));

  test.each<[string, Principal[], string, boolean]>([
    ["a channel's document in that channel", ["channel:C_BOARD"], "Board minutes", true],
    ["not for the workspace", ["everyone"], "Board minutes", false],
    ["a person's document to that person", ["person:U_BOB"], "Bob's review", true],
    ["not to another", ["person:U_ALICE", "everyone"], "Bob's review", false],
    ["another workspace's never", ["everyone"], "Globex only", false],
  ])("%s", async (_, grants, title, seen) => expect((await list(grants)).includes(title)).toBe(seen));

  test("the other workspace sees its own", async () => {
    const { content } = await listDocuments(handbook()).execute({}, contextFor(["everyone"], { tenant: globex }));
    expect(content).toContain("Globex only");
  });

  test("hidden ones are not counted: forbidden and absent titles read the same", async () => {
    expect(await list(["everyone"], { contains: "Board" })).toBe(await list(["everyone"], { contains: "Nowhere" }));
    expect(await list(["channel:C_BOARD"], { contains: "board" })).toContain("Board minutes");
  });
});

test("a long list comes in pages that say how many there are", async () => {
  const library = new MemoryLibrary().add(
    acme,
    ...Array.from({ length: 30 }, (_, i) => ({ title: `Doc ${i}`, grants: ["everyone" as const], pages: ["x"] })),
  );
  const page = async (n: number) => (await listDocuments(library).execute({ page: n }, contextFor(["everyone"]))).content.split("\n");
  expect(await page(1)).toHaveLength(26);
  expect((await page(2))[0]).toBe("30 documents, page 2 of 2:");
  expect(await page(2)).toHaveLength(6);
});

test("a title cannot forge a second line of the list", async () => {
  const library = new MemoryLibrary().add(acme, { title: "A\n- B, document_id 1", grants: ["everyone"], pages: ["x"] });
  const { content } = await listDocuments(library).execute({}, contextFor(["everyone"]));
  expect(content.split("\n")).toHaveLength(2);
});

test.each([
  [{}, "Listing the documents"],
  [{ contains: "leave" }, 'Listing the documents whose title contains "leave"'],
])("the line people see for %j", (params, line) => expect(listDocuments(handbook()).describeCall?.(params)).toBe(line));
