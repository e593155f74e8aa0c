import { expect, test } from "@jest/globals";
import { compactSourceLines, sourceLines } from "../../../../src/bot/surfaces/answer/source-list.ts";
import { wordsFor } from "../../../../src/bot/words/catalogue.ts";

const cited = (n: number, title = `Report ${n}`) => ({
  n,
  url: `https://docs.test/p/${n}`,
  source: { id: `p${n}`, title, page: n, heading: "Part", passage: "Said there.", relevance: 0.9 },
});
const { answer: words } = wordsFor("en");

test("the small print names every source once, in order, with its page and nothing else", () => {
  expect(compactSourceLines([cited(2), cited(1)], words)).toEqual([
    "<https://docs.test/p/1|[1] Report 1, page 1> \u00B7 <https://docs.test/p/2|[2] Report 2, page 2>",
  ]);
  expect(sourceLines([cited(1)], words)[0]).toMatch(/Part.*relevance 90 %/);
});

test("however many there are and however long, none is lost and each line fits a message", () => {
  const many = Array.from({ length: 60 }, (_, at) => cited(at + 1, "Long ".repeat(at)));
  const lines = compactSourceLines(many, words);
  expect(lines.join("\n").match(/\|\[\d+\]/g)).toHaveLength(60);
  expect(lines.length).toBeLessThan(60);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_200);
});
