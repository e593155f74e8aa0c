import { expect, test } from "@jest/globals";
import { lineDiff } from "../../src/core/line-diff.ts";

const numbered = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

test("equal texts have no difference", () => {
  expect(lineDiff([], [])).toEqual([]);
  expect(lineDiff(["a", "b"], ["a", "b"])).toEqual([]);
});

test.each<[string, string, string, string]>([
  ["a line in the middle", "a b c d e f g", "a b c X e f g", "  ...|  b|  c|- d|+ X|  e|  f|  ..."],
  ["a line at the beginning", "a b c d", "X a b c d", "+ X|  a|  b|  ..."],
  ["a line at the end", "a b c d", "a b c", "  ...|  b|  c|- d"],
  ["a line twice", "a b", "a b b", "  a|  b|+ b"],
  ["a line that moved", "a b c", "b c a", "- a|  b|  c|+ a"],
  ["everything", "a", "b", "- a|+ b"],
  ["from nothing", "", "a", "+ a"],
])("%s that is other is shown with its neighbours", (_, before, after, shown) => {
  const lines = (text: string) => text.split(" ").filter(Boolean);
  expect(lineDiff(lines(before), lines(after)).join("|")).toBe(shown);
});

test("texts of thousands of other lines, which a stranger may send, are not compared line by line, and nothing is left out", () => {
  const [old, fresh] = [numbered(3_000, "old"), [...numbered(1_500, "new"), "old 7", ...numbered(1_500, "newer")]];
  const diff = lineDiff(["same", ...old, "end"], ["same", ...fresh, "end"]);
  expect(diff).toEqual(["  same", ...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`), "  end"]);
});
