import { blockParts } from "../../../src/bot/out/mrkdwn/blocks.ts";
import { parseMarkdown } from "../../../src/bot/out/mrkdwn/parse.ts";
import { plainParts } from "../../../src/bot/out/mrkdwn/plain-text.ts";
import { randomFrom } from "./generated-answers.ts";

const context = (source: string) => ({
  allowed: new Set(["https://docs.test/1"]),
  citations: new Map([[1, "https://docs.test/1"]]),
  definitions: new Map(),
  source,
});
const parsed = (text: string) => {
  const { tree, source } = parseMarkdown(text);
  return blockParts(tree, context(source));
};

const pieces = [
  "words",
  "18 weeks",
  "2. ",
  "7) x",
  "(so)",
  "\u201Cquoted\u201D",
  "don't",
  "a - b",
  "- item",
  "# no",
  "https://docs.test/1",
  "evil.example",
  "www.evil.example",
  "a@evil.example",
  "[1]",
  "[1][2]",
  "[1](x)",
  "[1]: x",
  "[x]",
  "!",
  "![1]",
  "\n",
  "\n\n",
  "\n \n",
  "  \n",
  "    ",
  "===",
  "---",
  "\n---",
  "\u5317\u4EAC",
  "\u05E9\u05DC\u05D5\u05DD",
  ":smile:",
  "1.",
  "[^1]",
  "+1",
  "a*b",
  "x_y",
  "&amp;",
  "<b>",
  "|",
  "end.",
  "\t",
  "~5",
];

test("text without Markdown is read without the parser, and in every case as the parser reads it", () => {
  const random = randomFrom(42);
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? "";
  let read = 0;
  for (let round = 0; round < 6_000; round++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 6) }, pick).join(random() < 0.5 ? " " : "");
    if (text.trim() === "") continue;
    const plain = plainParts(text, context(text));
    if (!plain) continue;
    read++;
    expect({ text, parts: plain }).toEqual({ text, parts: parsed(text) });
  }
  expect(read).toBeGreaterThan(500);
});
