import { expect, test } from "@jest/globals";
import { assert, constantFrom, property, string } from "fast-check";
import { columns, splitGraphemes } from "../../../src/bot/out/mrkdwn/width.ts";

const bySegmenter = (text: string) =>
  Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), ({ segment }) => segment);

test("characters are split as Unicode says, whatever stands beside plain letters", () => {
  const unit = constantFrom(
    ..."ab1 \r\n\t\u0301\u00ad\u00a9\u200d\ufe0f\u0600\u093f\u0e33\u1100\u1161\u{1f1e9}\u{1f1ea}\u{1f44d}\u{1f3fd}\u{1f469}\u{e0067}漢é",
    "\ud83d",
  );
  assert(
    property(string({ unit, maxLength: 40 }), (text) => {
      expect(splitGraphemes(text)).toEqual(bySegmenter(text));
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

test("a family and a flag are one character each, and take two columns", () => {
  expect(splitGraphemes("a👨‍👩‍👧🇩🇪é")).toEqual(["a", "👨‍👩‍👧", "🇩🇪", "é"]);
  expect(columns("a👨‍👩‍👧🇩🇪漢")).toBe(7);
});
