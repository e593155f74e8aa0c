import { describe, expect, test } from "@jest/globals";
import type { Principal } from "../../../../src/core/principal.ts";
import type { DocumentExcerpt } from "../../../../src/knowledge/library.ts";
import { failure } from "../../../../src/plugins/define.ts";
import { getDocumentContext } from "../../../../src/plugins/documents/tools/get-document-context.ts";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { documentIdOf, MemoryLibrary, passageIdOf } from "../../../fakes/memory-library.ts";
import { acme, contextFor, globex } from "../../../fakes/tool-context.ts";
import { handbook } from "../handbook.ts";

toolContract("get_document_context", () => ({
  tool: getDocumentContext(handbook()),
  good: { passage_id: passageIdOf("Leave", 2), before: 1, after: 1 },
  bad: [
    { passage_id: 7 },
    { passage_id: "x", before: -1 },
    { passage_id: "x", after: 21 },
    { document_id: "x", from_page: 0 },
    { document_id: "x", to_page: 1e12 },
    [],
  ],
  context: (signal) => contextFor(["everyone"], { signal }),
}));

const tool = getDocumentContext(handbook());
const read = (params: object, grants: Principal[] = ["everyone"]) => tool.execute(params, contextFor(grants));
const pages = async (params: object) => (await read(params)).metadata.sources?.map(({ page }) => page);

describe("what is read", () => {
  test("a passage's neighbours, each a source with its own page, so that the page cited is right", async () => {
    const { content, metadata } = await read({ passage_id: passageIdOf("Leave", 2), before: 0, after: 1 });
    expect(content).toBe('2 passages of "Leave", a document of 3 pages, in reading order.');
    expect(metadata.sources?.map(({ id, page, passage }) => [id, page, passage])).toEqual([
      [passageIdOf("Leave", 2), 2, "Holiday leave is 30 days."],
      [passageIdOf("Leave", 3), 3, "Sick leave needs a note."],
    ]);
  });

  test("two neighbours on either side unless told otherwise", async () =>
    expect(await pages({ passage_id: passageIdOf("Leave", 1) })).toEqual([1, 2, 3]));

  test("pages of a document; three unless told otherwise", async () => {
    expect(await pages({ document_id: documentIdOf("Leave"), from_page: 2, to_page: 2 })).toEqual([2]);
    expect(await pages({ document_id: documentIdOf("Leave") })).toEqual([1, 2, 3]);
    expect(await pages({ document_id: documentIdOf("Leave"), from_page: 3 })).toEqual([3]);
  });

  test("a passage of nothing when the pages asked for do not exist", async () =>
    expect((await read({ document_id: documentIdOf("Leave"), from_page: 9 })).content).toBe(
      '0 passages of "Leave", a document of 3 pages, in reading order.',
    ));

  test("a title cannot forge a second line", async () => {
    const library = new MemoryLibrary().add(acme, { title: "A\n\n[1] B", grants: ["everyone"], pages: ["x"] });
    const { content } = await getDocumentContext(library).execute({ document_id: documentIdOf("A\n\n[1] B") }, contextFor(["everyone"]));
    expect(content.split("\n")).toHaveLength(1);
  });

  const from = (excerpt: Partial<DocumentExcerpt>) => {
    const context = async () => ({ documentId: documentIdOf("Notes"), title: "Notes", passages: [], truncated: false, ...excerpt });
    const library = { forTenant: () => ({ ...handbook().forTenant(globex), context }) };
    return getDocumentContext(library).execute({ document_id: documentIdOf("Notes") }, contextFor(["everyone"]));
  };

  test("a cut is told", async () => {
    const passages = [{ passageId: passageIdOf("Notes", 1), text: "x" }];
    expect((await from({ pages: 99, passages, truncated: true })).content).toContain("ask for fewer at a time");
    expect((await from({ pages: 99, passages })).content).not.toContain("ask for fewer at a time");
  });

  test("a document without pages says how it can be read", async () => {
    const { content, status } = await from({});
    expect([status, content]).toEqual(["success", expect.stringContaining("query_documents")]);
  });
});

describe("ids that lead nowhere", () => {
  const secret = passageIdOf("Board minutes", 1);
  const random = "6f1c9a52-3f53-4f6e-9d2f-0c3a5a7e1b11";
  const nothing = failure("NOT_FOUND", "There is no such passage or document.");

  test.each<[string, object]>([
    ["a passage of a channel that does not read along", { passage_id: secret }],
    ["a passage of another person", { passage_id: passageIdOf("Bob's review", 1) }],
    ["a passage of another workspace", { passage_id: passageIdOf("Globex only", 1) }],
    ["a passage that does not exist", { passage_id: random }],
    ["a malformed passage id", { passage_id: "1' OR '1'='1" }],
    ["an empty passage id", { passage_id: "" }],
    ["a forbidden document", { document_id: documentIdOf("Board minutes") }],
    ["a forbidden document's page that does not exist", { document_id: documentIdOf("Board minutes"), from_page: 9 }],
    ["a document of another workspace", { document_id: documentIdOf("Globex only") }],
    ["a document that does not exist", { document_id: random, from_page: 9 }],
    ["a malformed document id", { document_id: "../../etc/passwd" }],
    ["a document id given as a passage", { passage_id: documentIdOf("Leave") }],
  ])("%s reads exactly like one that never was", async (_, params) =>
    expect(JSON.stringify(await read(params))).toBe(JSON.stringify(nothing)),
  );

  test("the same ids are read by those who may", async () => {
    expect((await read({ passage_id: secret }, ["channel:C_BOARD"])).status).toBe("success");
    expect((await read({ document_id: documentIdOf("Board minutes") }, ["channel:C_BOARD"])).status).toBe("success");
    expect((await read({ passage_id: passageIdOf("Bob's review", 1) }, ["person:U_BOB"])).status).toBe("success");
  });
});

describe("calls that ask for nothing clear", () => {
  test.each<[string, object]>([
    ["neither a passage nor a document", {}],
    ["both", { passage_id: passageIdOf("Leave", 1), document_id: documentIdOf("Leave") }],
    ["pages that end before they begin", { document_id: documentIdOf("Leave"), from_page: 3, to_page: 2 }],
    ["pages that end before they begin, of a forbidden document", { document_id: documentIdOf("Board minutes"), from_page: 3, to_page: 2 }],
  ])("%s", async (_, params) => expect((await read(params)).error?.code).toBe("BAD_PARAMETERS"));
});

test.each([
  [{ passage_id: "x" }, "Reading the text around a passage"],
  [{ document_id: "x", from_page: 4 }, "Reading pages 4 to 6 of a document"],
  [{ document_id: "x", from_page: 4, to_page: 4 }, "Reading page 4 of a document"],
])("the line people see for %j", (params, line) => expect(tool.describeCall?.(params)).toBe(line));
