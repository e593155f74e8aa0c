import { visibleText } from "../../../core/visible-text.ts";
import type { Block } from "./document.ts";
import { tableMarkdown } from "./table-text.ts";

/** Cells of a sheet as they are shown, by row and column, both counted from 0. Absent cells are empty. */
export type SheetCells = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** A sheet's tables, which empty rows separate, under its name. A row with a single cell is a line of text: mostly a title. */
export function sheetBlocks(title: string, cells: SheetCells): Block[] {
  const blocks: Block[] = [];
  let rows: (readonly string[])[] = [];
  let below = -1;
  const add = (kind: Block["kind"], text: string | undefined): void => {
    const shown = visibleText(text ?? "").trim();
    if (shown !== "") blocks.push({ kind, text: shown, headingPath: [title] });
  };
  const flush = (): void => {
    // A line above a table is its title, one below it is a remark.
    const isLine = (row: readonly string[] | undefined): boolean => row !== undefined && row.filter((cell) => cell !== "").length === 1;
    const linesOnly = rows.every(isLine);
    const table = [...rows];
    const before: string[] = [];
    const after: string[] = [];
    while (!linesOnly && isLine(table[0])) before.push(oneOf(table.shift()));
    while (!linesOnly && isLine(table.at(-1)) && table.at(-1)?.[0] !== "") after.unshift(oneOf(table.pop()));
    for (const line of before) add("prose", line);
    if (linesOnly) for (const row of table) add("prose", oneOf(row));
    else add("table", tableMarkdown(withoutEmptyColumns(table)));
    for (const line of after) add("prose", line);
    rows = [];
  };
  for (const [number, row] of [...cells].sort(([a], [b]) => a - b)) {
    const filled = [...row].filter(([, text]) => text.trim() !== "");
    if (filled.length === 0) continue;
    if (number !== below) flush();
    below = number + 1;
    const line: string[] = [];
    for (const [column, text] of filled) line[column] = text;
    rows.push(Array.from(line, (cell) => cell ?? ""));
  }
  flush();
  return blocks;
}

const oneOf = (row: readonly string[] | undefined): string => row?.find((cell) => cell !== "") ?? "";

function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const used = new Set(rows.flatMap((row) => row.flatMap((cell, column) => (cell === "" ? [] : [column]))));
  const columns = [...used].sort((a, b) => a - b);
  return rows.map((row) => columns.map((column) => row[column] ?? ""));
}
