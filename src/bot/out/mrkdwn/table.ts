import type { Table, TableRow } from "mdast";
import { type InlineContext, inlineRuns } from "./inline.ts";
import type { Line, Part, Run, TableCells } from "./run.ts";
import { columns, pad } from "./width.ts";
import { fenceLine } from "./write.ts";

// Wider than this, lines wrap on a phone and half of a laptop window, and the columns fall apart.
const widestTable = 72;

/** A table as a monospaced block with aligned columns; one that is too wide, or holds links, as a list with a heading per cell. */
export function tableParts(table: Table, context: InlineContext, gap: boolean): Part[] {
  const rows = table.children.map((row) => cells(row, context));
  const cellsAsSuch: TableCells = { rows, align: rows[0]?.map((_, column) => table.align?.[column] ?? "left") ?? [] };
  return textForm(rows, cellsAsSuch.align, gap).map((part, index) => ({ ...part, table: index === 0 ? cellsAsSuch : "continued" }));
}

function textForm(rows: readonly Run[][][], align: TableCells["align"], gap: boolean): Part[] {
  const plain = rows.map((row) =>
    row.map((runs) =>
      runs
        .map((run) => run.text)
        .join("")
        .replace(/\s+/g, " ")
        .trim(),
    ),
  );
  const count = Math.max(...plain.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(3, ...plain.map((row) => columns(row[column] ?? ""))));
  const total = widths.reduce((sum, width) => sum + width + 3, -3);
  const linked = rows.some((row) => row.some((runs) => runs.some((run) => run.link !== undefined && !/^\[\d+\]$/.test(run.text))));
  if (total > widestTable || linked) return listParts(rows, gap);
  const [header = [], ...body] = plain.map((row) =>
    fenceLine(widths.map((width, column) => pad(row[column] ?? "", width, align[column] ?? "left")).join(" | ")).trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("-+-");
  return [{ kind: "code", gap, head: [String(header), rule], lines: body }];
}

const cells = (row: TableRow, context: InlineContext): Run[][] => row.children.map((cell) => inlineRuns(cell.children, {}, context));

function listParts(rows: readonly Run[][][], gap: boolean): Part[] {
  const [header = [], ...body] = rows;
  if (body.length === 0) return [{ kind: "text", gap, lines: [{ prefix: "", rest: "", runs: joined(header) }] }];
  return body.map((row, index) => {
    const lines = row.map((runs, column): Line => {
      const title = header[column] ?? [];
      const named = title.length > 0 ? [...title.map((run) => ({ ...run, bold: true })), { text: ": ", bold: true }] : [];
      const [prefix, rest] = column === 0 ? ["\u2022 ", "  "] : ["   ", "   "];
      return { prefix, rest, runs: oneLine([...named, ...runs]) };
    });
    return { kind: "text", gap: index === 0 && gap, lines };
  });
}

const joined = (row: readonly Run[][]): Run[] => oneLine(row.flatMap((runs, index) => (index > 0 ? [{ text: " | " }, ...runs] : runs)));

const oneLine = (runs: readonly Run[]): Run[] => runs.map((run) => ({ ...run, text: run.text.replace(/\n/g, " ") }));
