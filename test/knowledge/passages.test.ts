import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { countTokens } from "../../src/core/tokens.ts";
import { chunk } from "../../src/knowledge/ingest/chunk.ts";
import type { Block } from "../../src/knowledge/ingest/extract/document.ts";
import { tableMarkdown } from "../../src/knowledge/ingest/extract/table-text.ts";

/** Small enough that most texts must be cut, and quick to count: a token is four letters. */
const measure = { count: (text: string) => Math.ceil(text.length / 4), passage: 40 };
/** A row or link is kept whole up to this many times a passage. */
const WHOLE = 4;
/** Runs of one property: enough to find what is wrong, few enough for every change. */
const runs = { numRuns: 50, seed: 1 };

const word = fc.constantFrom("leave", "weeks", "Überstunden", "年假", "👩‍👩‍👧", "é", "ไทย", "don't", "3.14", "e.g.", "(a)");
const link = fc.constantFrom(
  "https://intranet.example.com/policies/leave?year=2026&v=2#s-4",
  "mailto:ann@acme.example",
  "https://a.example/x.(y)/z.html.",
);
const sentence = fc
  .array(fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: link }), { minLength: 1, maxLength: 25 })
  .map((words) => `${words.join(" ")}.`);
const prose = fc.array(sentence, { minLength: 1, maxLength: 12 }).map((sentences) => sentences.join(" "));
const cell = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
const table = fc
  .array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 30 })
  .map((rows) => tableMarkdown([["Site", "Year", "Fee"], ...rows]) ?? "");
const path = fc.constantFrom<readonly string[]>([], ["Leave"], ["Leave", "Parental"], ["Travel"]);
const place = fc.constantFrom<Partial<Block>>({}, { page: 1 }, { page: 2 }, { page: 3, pageName: "slide 3" });
const block = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constant("prose" as const), prose),
      fc.tuple(fc.constant("table" as const), table),
      fc.tuple(fc.constant("list" as const), prose),
    ),
    path,
    place,
  )
  .map(([[kind, text], headingPath, where]): Block => ({ kind, text, headingPath, ...where }));
const document = fc.array(block, { minLength: 1, maxLength: 8 });

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const graphemes = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
const isRow = (line: string): boolean => /^\|.*\|$/.test(line);
const linksIn = (text: string): string[] => text.match(/(?:https?|mailto):\S+/g) ?? [];

describe("whatever is in a document, its passages", () => {
  test("lose nothing: every word of every block is in a passage of its place", () => {
    fc.assert(
      fc.property(document, (blocks) => {
        const passages = chunk(blocks, measure);
        for (const { text, headingPath } of blocks) {
          const found = new Set(
            passages.filter(({ heading = "" }) => heading === headingPath.join(" > ")).flatMap((passage) => passage.text.split(/\s+/)),
          );
          expect(text.split(/\s+/).filter((each) => !found.has(each))).toEqual([]);
        }
      }),
      runs,
    );
  });

  test("cut no row of a table, and repeat its header", () => {
    fc.assert(
      fc.property(table, (text) => {
        const [head = "", rule = "", ...rows] = text.split("\n");
        const passages = chunk([{ kind: "table", text, headingPath: [] }], measure);
        const lines = passages.flatMap((passage) => passage.text.split("\n").filter((line) => line !== ""));
        expect(lines.every((line) => [head, rule, ...rows].includes(line))).toBe(true);
        expect(lines.filter((line) => line !== head && line !== rule)).toEqual(rows.filter((row) => row !== head && row !== rule));
        for (const passage of passages.slice(0, -1)) expect(passage.text.startsWith(`${head}\n${rule}\n`)).toBe(true);
      }),
      runs,
    );
  });

  test("cut no link and no grapheme", () => {
    fc.assert(
      fc.property(prose, (text) => {
        const passages = chunk([{ kind: "prose", text, headingPath: [] }], measure);
        const whole = new Set(linksIn(text));
        for (const passage of passages) expect(linksIn(passage.text).filter((each) => !whole.has(each))).toEqual([]);
        const known = new Set(graphemes(text));
        for (const passage of passages)
          for (const each of graphemes(passage.text)) expect(known.has(each) || /^\s+$/.test(each)).toBe(true);
      }),
      runs,
    );
  });

  test("are as long as they may be, and no longer", () => {
    fc.assert(
      fc.property(document, (blocks) => {
        for (const passage of chunk(blocks, measure)) {
          const unbroken = Math.max(
            ...passage.text.split("\n").map((line) => (isRow(line) ? measure.count(line) : 0)),
            ...linksIn(passage.text).map(measure.count),
          );
          expect(passage.tokens).toBe(measure.count(passage.text));
          // Joined with a small rest and a repeated sentence; and what must not be cut may be longer.
          expect(passage.tokens).toBeLessThanOrEqual(measure.passage * 1.6 + Math.max(0, unbroken) + 2);
        }
      }),
      runs,
    );
  });

  test("have one place each: a heading path, a page, a slide's name", () => {
    fc.assert(
      fc.property(document, (blocks) => {
        const places = blocks.map(({ headingPath, page, pageName }) => JSON.stringify([headingPath.join(" > "), page, pageName]));
        for (const { heading = "", page, pageName } of chunk(blocks, measure))
          expect(places).toContain(JSON.stringify([heading, page, pageName]));
      }),
      runs,
    );
  });
});

describe("what must not be cut, in tokens of the model's own", () => {
  test("a link or a row longer than a passage is one passage; one longer than any model reads is cut between cells", () => {
    const address = `https://a.example/${"x".repeat(400)}`;
    expect(
      chunk([{ kind: "prose", text: `See ${address} there.`, headingPath: [] }], measure).filter(({ text }) => text.includes(address)),
    ).toHaveLength(1);
    const row = `| ${"long cell ".repeat(25)}| b |`;
    const text = `| A | B |\n| --- | --- |\n${row}\n| c | d |`;
    expect(chunk([{ kind: "table", text, headingPath: [] }], measure).some((passage) => passage.text.split("\n").includes(row))).toBe(true);
    const endless = `| ${"long cell ".repeat(40)}| ${"other cell ".repeat(40)}|`;
    expect(measure.count(endless)).toBeGreaterThan(measure.passage * WHOLE);
    const pieces = chunk([{ kind: "table", text: `| A | B |\n| --- | --- |\n${endless}`, headingPath: [] }], measure);
    expect(Math.max(...pieces.map(({ tokens }) => tokens))).toBeLessThanOrEqual(measure.passage * 1.6);
  });

  test("a model that says how it counts is asked, otherwise language models' tokens count", () => {
    const text = Array.from({ length: 60 }, (_, n) => `Rule ${n} is for everybody.`).join(" ");
    const blocks: Block[] = [{ kind: "prose", text, headingPath: [] }];
    expect(chunk(blocks, { count: (each) => each.length, passage: 100 }).length).toBeGreaterThan(chunk(blocks).length);
    for (const { text: each, tokens } of chunk(blocks)) expect(tokens).toBe(countTokens(each));
  });

  test("a table of ten thousand rows is cut, every piece with its header", () => {
    const text = ["| A | B |", "| --- | --- |", ...Array.from({ length: 10_000 }, (_, n) => `| item ${n} | ${n % 7} |`)].join("\n");
    const passages = chunk([{ kind: "table", text, headingPath: [] }], measure);
    expect(passages.every((passage) => passage.text.startsWith("| A | B |\n| --- | --- |\n| item"))).toBe(true);
  });
});
