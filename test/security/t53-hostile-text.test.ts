import { describe, expect, test } from "@jest/globals";
import { languageOf } from "../../src/knowledge/full-text/languages.ts";
import { grantFilter } from "../../src/knowledge/full-text/meilisearch/grant-filter.ts";
import { compoundParts, respellings } from "../../src/knowledge/full-text/respell.ts";
import { queryWords, terms } from "../../src/knowledge/full-text/terms.ts";
import { extract } from "../../src/knowledge/ingest/extract/extract.ts";
import { mergeNeighbours } from "../../src/knowledge/retrieve/merge-neighbours.ts";
import { makeDocx, paragraph } from "../knowledge/extract/make-docx.ts";

/**
 * A text that makes a pattern try every way to read it would not be done within hours; each of these is done within the time that any test has.
 * Nothing is measured: a busy machine is no failure.
 */
const SIZE = 20_000;
const long = {
  "one letter": "a".repeat(SIZE),
  "one letter, then another": `${"a".repeat(SIZE)}!`,
  blanks: `x${" ".repeat(SIZE)}x`,
  "line ends": "\n".repeat(SIZE),
  apostrophes: "a'".repeat(SIZE / 2),
  "points and digits": "1.".repeat(SIZE / 2),
  "open angle brackets": "<".repeat(SIZE / 10),
  "half a meta element": `<meta ${"charset ".repeat(SIZE / 8)}`,
  "front matter without an end": `---\n${"author: ".repeat(SIZE / 8)}`,
  "combining marks": `e${"\u0301".repeat(SIZE)}`,
  "nested emphasis": "*_".repeat(SIZE / 20),
  backticks: "`".repeat(SIZE / 10),
} as const;

describe("T53: no text keeps the program busy for ever", () => {
  describe.each(Object.entries(long))("%s", (_what, text) => {
    test("as a question", () => {
      languageOf(text);
      expect(queryWords(text).length).toBeLessThanOrEqual(SIZE);
      expect(terms(text).length).toBeLessThanOrEqual(SIZE);
      expect([...respellings(text), ...compoundParts(text)]).toEqual([]);
      expect(grantFilter([text as never])).toBeUndefined();
    });

    test.each(["a.md", "a.html", "a.txt", "a.eml", "a.csv"])("as a document: %s", async (name) => {
      const read = await extract({ name, bytes: Buffer.from(text), onProgress: () => {} }).catch(
        (thrown: { code?: string }) => thrown.code,
      );
      expect(["string", "object"]).toContain(typeof read);
    });

    test("as passages that follow each other", () => {
      const hit = (ordinal: number) => ({
        ordinal,
        text,
        documentId: "d",
        passageId: `p${ordinal}`,
        heading: "h",
        title: "",
        score: 1,
        updatedAt: new Date(0),
      });
      expect(mergeNeighbours([hit(0), hit(1)] as never)).toHaveLength(1);
    });
  });

  test.each([
    [
      "a field that never ends",
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "${"a".repeat(SIZE)}</w:instrText></w:r></w:p>`,
    ],
    ["very many runs", `<w:p>${"<w:r><w:t>a</w:t></w:r>".repeat(SIZE / 20)}</w:p>`],
  ])("a Word document with %s", async (_what, body) => {
    const read = await extract({ name: "a.docx", bytes: makeDocx({ body: body + paragraph("Text.") }), onProgress: () => {} });
    expect(read.blocks.length).toBeGreaterThan(0);
  });
});
