import { expect, test } from "@jest/globals";
import { passageHtml } from "../../../src/api/sources/passage-html.ts";

test("a table is shown as a table, with what stands around it as paragraphs", () => {
  expect(passageHtml("Fees\n| Year | Fee |\n| --- | --- |\n| 2026 | 40 \\| 45 |\n\nPaid in May.")).toBe(
    '<p>Fees</p>\n<div class="table"><table><tr><th>Year</th><th>Fee</th></tr>\n<tr><td>2026</td><td>40 | 45</td></tr></table></div>\n<p>Paid in May.</p>',
  );
});

test("rows without a header are rows, lists keep their lines, and code stays as it is written", () => {
  expect(passageHtml("| a | b |\n| c | d |")).not.toContain("<th>");
  expect(passageHtml("- one\n- two")).toBe("<p>- one\n- two</p>");
  expect(passageHtml("```\nif (a) {\n\n  b();\n```\nThen this.")).toBe("<pre>if (a) {\n\n  b();</pre>\n<p>Then this.</p>");
});

test("nothing in a passage is markup, wherever it stands", () => {
  const evil = '<img src=x onerror="a()">';
  for (const text of [evil, `| ${evil} | b |\n| --- | --- |\n| ${evil} | c |`, `\`\`\`${evil}\n${evil}\n\`\`\``, `\`\`\`\n${evil}`]) {
    expect(passageHtml(text)).not.toContain("<img");
    expect(passageHtml(text)).toContain("&lt;img");
  }
});
