import { expect, test } from "@jest/globals";
import { headline } from "../../../src/agent/citations/citations.ts";
import { sourceLine } from "../../../src/bot/surfaces/answer/source-list.ts";
import { english } from "../../../src/bot/surfaces/answer/words.ts";

const source = { id: "a", title: "Budget", passage: "We grow.", relevance: 0 };

test("the model and the reader are told slides as slides, and pages by their own names with their place in the file", () => {
  expect(headline(1, { ...source, page: 3, pageName: "slide 3" })).toBe("[1] Budget, slide 3");
  expect(headline(1, { ...source, page: 4, pageName: "page iv" })).toBe("[1] Budget, page iv (number 4 in the file)");
  expect(headline(1, { ...source, page: 4 })).toBe("[1] Budget, page 4");
  expect(sourceLine({ n: 1, source: { ...source, page: 3, pageName: "slide 3" } }, english)).toContain("Budget, slide 3");
  expect(sourceLine({ n: 1, source: { ...source, page: 3 } }, english)).toContain("Budget, page 3");
});
