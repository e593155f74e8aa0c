import { describe, expect, test } from "@jest/globals";
import type { PageText } from "../../../src/knowledge/ingest/extract/pdf/pdf-layout.ts";
import { withoutRunningText } from "../../../src/knowledge/ingest/extract/pdf/pdf-running-text.ts";

/** A page of lines, from the top (y 760) down to the footer at 40. */
const page = (number: number, header: string | undefined, body: readonly string[], footer: string | undefined): PageText => ({
  number,
  lines: [
    ...(header ? [{ text: header, x: 72, y: 760, size: 9 }] : []),
    ...body.map((text, index) => ({ text, x: 72, y: 700 - index * 14, size: 12 })),
    ...(footer ? [{ text: footer, x: 290, y: 40, size: 9 }] : []),
  ],
});
const body = (number: number) =>
  Array.from({ length: 8 }, (_, index) => `Sentence ${"abcdefgh"[index]} of chapter ${["none", "one", "two", "three"][number]}.`);
const texts = (pages: readonly PageText[]) => pages.map(({ lines }) => lines.map((line) => line.text));

describe("what a page says of itself", () => {
  test.each(["{n}", "- {n} -", "{n} / 3", "Page {n}", "Page {n} of 3", "Seite {n} von 3", "{n} | 3"])(
    "the page number %s is no text",
    (form) => {
      const pages = [1, 2, 3].map((n) => page(n, undefined, body(n), form.replace("{n}", String(n))));
      expect(texts(withoutRunningText(pages))).toEqual([body(1), body(2), body(3)]);
    },
  );

  test("page numbers that begin later in the book are no text either", () => {
    const pages = [1, 2, 3].map((n) => page(n, undefined, body(n), String(n + 216)));
    expect(texts(withoutRunningText(pages))).toEqual([body(1), body(2), body(3)]);
  });

  test("a repeated title is read once, also when it holds the page's number", () => {
    const pages = [1, 2, 3].map((n) => page(n, `Handbook, version 7, sheet ${n}`, body(n), undefined));
    expect(texts(withoutRunningText(pages))).toEqual([["Handbook, version 7, sheet 1", ...body(1)], body(2), body(3)]);
  });

  test("a number that happens to end a page stays, as does a sentence that comes twice in the middle", () => {
    const pages = [1, 2, 3].map((n) =>
      page(n, undefined, [...body(n), "Ask people operations.", ...body(n)], n === 2 ? "1500" : undefined),
    );
    expect(withoutRunningText(pages)).toEqual(pages);
  });

  test("forms filled in differently stay, though their words are the same", () => {
    const pages = [41, 44, 52].map((salary, index) => page(index + 1, `Salary: ${salary},000`, body(index + 1), undefined));
    expect(withoutRunningText(pages)).toEqual(pages);
  });

  test("the same words at different heights stay", () => {
    const pages = [1, 2, 3].map((n) => page(n, undefined, [...body(n).slice(0, n), "Total"], undefined));
    expect(withoutRunningText(pages)).toEqual(pages);
  });

  test("a single page and a document of nothing but headers keep what they hold", () => {
    const single = [page(1, "Notice", [], "Page 1")];
    expect(withoutRunningText(single)).toEqual(single);
    const numbersOnly = [1, 2].map((n) => page(n, undefined, [], String(n)));
    expect(withoutRunningText(numbersOnly)).toEqual(numbersOnly);
  });
});
