import type { RichTextBlock, RichTextElement, TableBlock } from "@slack/types";
import type { Run, TableCells } from "../../out/mrkdwn/run.ts";

/** A table as Slack shows tables. Its text is never read as markup; links are those that are allowed. */
export const tableBlock = ({ rows, align }: TableCells): TableBlock => ({
  type: "table",
  // Every row has as many cells as the header.
  rows: rows.map((row) => Array.from({ length: Math.max(align.length, row.length) }, (_, column) => cell(row[column] ?? []))),
  column_settings: align.map((side) => ({ align: side, is_wrapped: true })),
});

function cell(runs: readonly Run[]): RichTextBlock | { type: "raw_text"; text: string } {
  const plain = runs.every(({ bold, italic, strike, code, link }) => !bold && !italic && !strike && !code && link === undefined);
  // Slack refuses a cell without any character.
  if (plain)
    return {
      type: "raw_text",
      text:
        runs
          .map(({ text }) => text)
          .join("")
          .trim() || " ",
    };
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: runs.filter(({ text }) => text !== "").map(piece) }] };
}

function piece({ text, bold, italic, strike, code, link }: Run): RichTextElement {
  const style = { ...(bold && { bold }), ...(italic && { italic }), ...(strike && { strike }), ...(code && { code }) };
  const styled = Object.keys(style).length > 0 ? { style } : {};
  return link === undefined ? { type: "text", text, ...styled } : { type: "link", url: link, text, ...styled };
}
