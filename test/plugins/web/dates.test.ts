import { describe, expect, test } from "@jest/globals";
import { plainText } from "../../../src/plugins/plain-text.ts";
import { readDate } from "../../../src/plugins/web/dates.ts";
import { publishedDate } from "../../../src/plugins/web/page-date.ts";

const now = new Date("2026-11-30T12:00:00Z");
const read = (words: string | null | undefined) => readDate(words, now)?.toISOString();

describe("dates of search services and pages", () => {
  test.each([
    ["2026-11-28", "2026-11-28T00:00:00.000Z"],
    ["2026-11-28T12:00:00", "2026-11-28T12:00:00.000Z"],
    ["2026-11-28 12:00:00", "2026-11-28T12:00:00.000Z"],
    ["2026-11-28T12:00:00.123Z", "2026-11-28T12:00:00.000Z"],
    ["2026-11-28T12:00:00+0200", "2026-11-28T10:00:00.000Z"],
    ["Nov 28, 2026", "2026-11-28T00:00:00.000Z"],
    ["28 November 2026", "2026-11-28T00:00:00.000Z"],
    ["Sat, 28 Nov 2026 12:00:00 GMT", "2026-11-28T12:00:00.000Z"],
    ["2 days ago", "2026-11-28T12:00:00.000Z"],
    ["an hour ago", "2026-11-30T11:00:00.000Z"],
  ])("%s", (words, expected) => expect(read(words)).toBe(expected));

  test.each(["", "yesterday", "7", "2031-01-01", "0001-01-01", "2026-13-45", "x".repeat(1000), null, undefined])("%s is no date", (words) =>
    expect(read(words)).toBeUndefined(),
  );

  test.each([
    ['<meta name="date" content="2026-01-02">', "2026-01-02"],
    ["<meta content='2026-01-02' property='article:published_time'>", "2026-01-02"],
    ['<script type="application/ld+json">{"@type":"Article","datePublished": "2026-01-02T10:00:00Z"}</script>', "2026-01-02"],
    ['<time class="x" datetime="2026-01-02">long ago</time>', "2026-01-02"],
    ['<meta property="article:published_time" content="soon"><time datetime="2026-01-02">', "2026-01-02"],
  ])("a page that says %s", (html, expected) => expect(publishedDate(html, now)?.toISOString().slice(0, 10)).toBe(expected));

  test("a page that says nothing, or is made to take long, has no date", () => {
    expect(publishedDate("<p>Hello.</p>", now)).toBeUndefined();
    expect(publishedDate(`<meta ${"a ".repeat(200_000)}<time ${"x".repeat(200_000)}`, now)).toBeUndefined();
  });
});

test("a piece of markup becomes one line, never longer than asked for", () => {
  expect(plainText("a <b>b</b>\n c &lt;d&gt; &#128512; &#xD800; 1 < 2", 100)).toBe("a b c <d> 😀 1 < 2");
  expect(plainText("😀".repeat(100), 10).length).toBeLessThanOrEqual(10);
  expect(plainText(`${"<".repeat(100_000)}`, 50).length).toBe(50);
});
