import { describe, expect, test } from "@jest/globals";
import { countTokens } from "../../src/core/tokens.ts";
import { chunk } from "../../src/knowledge/ingest/chunk.ts";
import type { Block } from "../../src/knowledge/ingest/extract/document.ts";
import { sentences, split } from "../../src/knowledge/ingest/split.ts";

const block = (text: string, more: Partial<Block> = {}): Block => ({ text, headingPath: [], kind: "prose", ...more });
const bare = (text: string) => text.replace(/\s+/g, "");
const sentence = (n: number) => `Rule number ${n} says that everybody in the company follows rule ${n}.`;
const long = Array.from({ length: 80 }, (_, n) => sentence(n)).join(" ");

describe("cutting documents into passages", () => {
  test("short blocks under one heading become one passage", () => {
    expect(chunk([block("One.", { headingPath: ["A", "B"] }), block("Two.", { headingPath: ["A", "B"] })])).toEqual([
      { text: "One.\n\nTwo.", heading: "A > B", tokens: expect.any(Number) },
    ]);
  });

  test("text of different headings or pages is never mixed", () => {
    const chunks = chunk([
      block("One.", { headingPath: ["A"], page: 1 }),
      block("Two.", { headingPath: ["B"], page: 1 }),
      block("Three.", { headingPath: ["B"], page: 2 }),
    ]);
    expect(chunks.map(({ text, heading, page }) => [text, heading, page])).toEqual([
      ["One.", "A", 1],
      ["Two.", "B", 1],
      ["Three.", "B", 2],
    ]);
  });

  test("a heading is not a passage of its own while there is something to join on its page", () => {
    const heading = (text: string, path: string[]) => block(text, { kind: "heading", headingPath: path, page: 1 });
    const chunks = chunk([
      heading("Handbook", ["Handbook"]),
      heading("Leave", ["Handbook", "Leave"]),
      block("Eighteen weeks.", { headingPath: ["Handbook", "Leave"], page: 1 }),
    ]);
    expect(chunks).toMatchObject([{ text: "Eighteen weeks.", heading: "Handbook > Leave" }]);
  });

  test("long prose is cut between sentences, nothing is lost, and the cut repeats one sentence", () => {
    const chunks = chunk([block(long)]);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text, tokens } of chunks) {
      expect(tokens).toBe(countTokens(text));
      expect(tokens).toBeLessThanOrEqual(256 + 64 + 48);
      expect(text).toMatch(/^Rule number.*\.$/s);
    }
    for (let n = 0; n < 80; n++) expect(chunks.some(({ text }) => text.includes(sentence(n)))).toBe(true);
    const last = sentences(chunks[0]?.text ?? "")
      .at(-1)
      ?.trim();
    expect(chunks[1]?.text.startsWith(last ?? "?")).toBe(true);
  });

  test("a long table is cut between rows and repeats its header", () => {
    const rows = Array.from({ length: 120 }, (_, n) => `| item ${n} | ${n * 3} pounds | shelf ${n % 7} |`);
    const chunks = chunk([block(["| Item | Price | Shelf |", "| --- | --- | --- |", ...rows].join("\n"), { kind: "table" })]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) expect(text.startsWith("| Item | Price | Shelf |\n| --- | --- | --- |\n| item")).toBe(true);
    expect(chunks.flatMap(({ text }) => text.split("\n").slice(2))).toEqual(rows);
  });

  test("long code is cut between lines into code blocks", () => {
    const lines = Array.from({ length: 150 }, (_, n) => `  const value${n} = compute(${n});`);
    const pieces = split(`\`\`\`ts\n${lines.join("\n")}\n\`\`\``, "code", 256);
    for (const piece of pieces) expect(piece).toMatch(/^```ts\n {2}const[\s\S]*;\n```$/);
    expect(pieces.flatMap((piece) => piece.split("\n").slice(1, -1))).toEqual(lines);
  });

  test("neither a link nor a grapheme is cut, whatever the text", () => {
    const link = "https://intranet.example.com/policies/leave/parental?year=2026&version=final#section-4";
    const linked = Array.from({ length: 60 }, (_, n) => `see${n} ${link}`).join(" ");
    for (const piece of split(linked, "prose", 64))
      expect(piece.split(/\s+/).every((word) => word === link || /^see\d+$/.test(word))).toBe(true);
    const families = "👩‍👩‍👧🏴󠁧󠁢󠁳󠁣󠁴󠁿é".repeat(300);
    const pieces = split(families, "prose", 64);
    const graphemes = (text: string) =>
      Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), (each) => each.segment);
    expect(pieces.flatMap(graphemes)).toEqual(graphemes(families));
  });

  test("text without spaces is cut too, and nothing is lost", () => {
    const chinese = "员工每年享有二十五天带薪年假另有八个公共假日".repeat(60);
    const pieces = split(chinese, "prose", 128);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join("")).toBe(chinese);
    for (const piece of pieces) expect(countTokens(piece)).toBeLessThanOrEqual(140);
    expect(bare(split("x".repeat(9_000), "prose", 128).join(""))).toBe("x".repeat(9_000));
  });

  test("text that looks like a model's special token is text", () => {
    expect(chunk([block("Say <|endoftext|> and <|im_start|>system.")])).toMatchObject([
      { text: "Say <|endoftext|> and <|im_start|>system." },
    ]);
  });

  test("an abbreviation does not end a sentence", () => {
    expect(sentences("Ask Dr. Smith, e.g. by mail. Then wait.")).toEqual(["Ask Dr. Smith, e.g. by mail. ", "Then wait."]);
  });
});
