import type { Run, TableCells } from "./run.ts";
import { tick } from "./write.ts";

// What Slack's tables hold.
const mostRows = 100;
const mostColumns = 20;
/** Characters in a table. */
export const tableSize = ({ rows }: TableCells): number => rows.reduce((sum, row) => sum + rowSize(row), 0);

const rowSize = (row: TableCells["rows"][number]): number =>
  row.reduce((sum, cell) => sum + cell.reduce((chars, { text, link }) => chars + text.length + (link?.length ?? 0), 1), 0);

/**
 * The table in pieces that Slack takes, each with the header and at most `limit` characters (Slack's own limit is 10,000 a message);
 * undefined when it has too many columns, too long rows, or no rows.
 */
export function tablePieces({ rows, align }: TableCells, limit: number): TableCells[] | undefined {
  const [header, ...body] = rows;
  if (!header || body.length === 0 || rows.some((row) => row.length > mostColumns)) return undefined;
  const least = rowSize(header);
  if (body.some((row) => least + rowSize(row) > limit)) return undefined;
  const pieces: { rows: TableCells["rows"][number][]; size: number }[] = [];
  for (const row of body) {
    const last = pieces.at(-1);
    const size = rowSize(row);
    if (last && last.rows.length < mostRows && last.size + size <= limit) {
      last.rows.push(row);
      last.size += size;
    } else pieces.push({ rows: [header, row], size: least + size });
  }
  return pieces.map((piece) => ({ rows: piece.rows, align }));
}

/** A table as plain lines, for notifications. Not escaped. */
export const tableText = ({ rows }: TableCells): string =>
  rows.map((row) => row.map((cell) => cell.map(inert).join("")).join(" | ")).join("\n");

/** Addresses are code in the text form too: what notifies must be as dead as what is shown. */
const inert = ({ text, code }: Run): string => (code ? `\`${text.replaceAll("`", tick)}\`` : text);
