import { tableMarkdown } from "../table-text.ts";
import { childrenOf, isElement, type PageElement } from "./html-page.ts";

/** Columns and rows that a merged cell may span; more is not a table that people read. */
const MOST_COLUMNS = 200;

/**
 * A table as Markdown with its first row as header. Merged cells: beside one another the text comes once, below one another in every row,
 * so that a row can be read alone. Undefined for tables that only place things: one column, or a table in a cell.
 */
export function tableText(table: PageElement, cellText: (cell: PageElement) => string): string | undefined {
  if (table.querySelector("table") || table.getAttribute("role") === "presentation") return undefined;
  const rows = grid(table, cellText).filter((row) => row.some((cell) => cell !== ""));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width < 2) return undefined;
  const caption = [...childrenOf(table)].find((child) => isElement(child) && child.localName === "caption");
  const text = tableMarkdown(rows) ?? "";
  return caption && isElement(caption) ? `${cellText(caption)}\n${text}` : text;
}

function grid(table: PageElement, cellText: (cell: PageElement) => string): string[][] {
  const rows: string[][] = [];
  /** Texts of cells that reach down, by column. */
  const hanging = new Map<number, { text: string; rows: number }>();
  for (const row of table.querySelectorAll("tr")) {
    const cells: string[] = [];
    const takeHanging = () => {
      for (let above = hanging.get(cells.length); above; above = hanging.get(cells.length)) {
        if (--above.rows === 0) hanging.delete(cells.length);
        cells.push(above.text);
      }
    };
    for (const cell of childrenOf(row)) {
      if (!isElement(cell) || (cell.localName !== "td" && cell.localName !== "th")) continue;
      takeHanging();
      const text = cellText(cell);
      const down = span(cell, "rowspan");
      for (let column = 0; column < span(cell, "colspan") && cells.length < MOST_COLUMNS; column++) {
        const shown = column === 0 ? text : "";
        if (down > 1) hanging.set(cells.length, { text: shown, rows: down - 1 });
        cells.push(shown);
      }
    }
    takeHanging();
    rows.push(cells);
  }
  return rows;
}

function span(cell: PageElement, name: "colspan" | "rowspan"): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Number.isFinite(value) ? Math.min(Math.max(value, 1), MOST_COLUMNS) : 1;
}
