import { AppError } from "../../../../core/errors.ts";
import { readXml } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";
import type { SheetCells } from "../sheet-blocks.ts";
import { type NumberFormats, shownNumber } from "./xlsx-styles.ts";

export interface SheetReading {
  readonly strings: readonly string[];
  readonly formats: NumberFormats;
  /** Whether days are counted from 1904, as on the first Macintosh. */
  readonly since1904: boolean;
  /** What may still be read, of all sheets together. */
  readonly left: SheetBudget;
  onProgress(): void;
}

export interface SheetBudget {
  cells: number;
  /** Characters shown: a thousand cells may show one long text. */
  characters: number;
}

/** A million cells with 32 characters each; more is a database and not something to read. */
export const sheetBudget = (): SheetBudget => ({ cells: 1_000_000, characters: 32_000_000 });

/** Takes a cell from the budget. Throws AppError DOCUMENT_UNREADABLE when it is spent. */
export function spend(left: SheetBudget, text: string): void {
  left.cells--;
  left.characters -= text.length;
  if (left.cells < 0 || left.characters < 0) throw new AppError("DOCUMENT_UNREADABLE", "It has too many cells or too long ones: split it.");
}

/** Texts that cells refer to by number; phonetic readings are left out. */
export async function readSharedStrings(archive: ZipArchive, part: string): Promise<readonly string[]> {
  const bytes = await archive.read(part);
  const strings: string[] = [];
  if (!bytes) return strings;
  let text = "";
  let isText = false;
  let isReading = 0;
  readXml(bytes, {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") isReading++;
      else if (name === "t") isText = isReading === 0;
    },
    close(name) {
      if (name === "si") strings.push(text);
      else if (name === "rPh") isReading--;
      else if (name === "t") isText = false;
    },
    text(more) {
      if (isText) text += more;
    },
  });
  return strings;
}

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
}

/**
 * The cells of a sheet as they are shown, without hidden rows and columns. Of merged cells those below the first repeat its text, so that a row
 * can be read alone; those beside it stay empty. Throws AppError DOCUMENT_UNREADABLE beyond the limit.
 */
export async function readSheet(archive: ZipArchive, part: string, reading: SheetReading): Promise<SheetCells> {
  const bytes = await archive.read(part);
  const cells = new Map<number, Map<number, string>>();
  if (!bytes) return cells;
  const hiddenColumns: (readonly [number, number])[] = [];
  const merged: string[] = [];
  let row = -1;
  let column = -1;
  let rowHidden = false;
  let cell: Cell | undefined;
  let inText = false;
  readXml(
    bytes,
    {
      open(name, attributes) {
        if (name === "col" && isTrue(attributes.get("hidden")))
          hiddenColumns.push([Number(attributes.get("min")) - 1, Number(attributes.get("max")) - 1]);
        else if (name === "mergeCell") merged.push(attributes.get("ref") ?? "");
        else if (name === "row") {
          row = attributes.has("r") ? Number(attributes.get("r")) - 1 : row + 1;
          column = -1;
          rowHidden = isTrue(attributes.get("hidden"));
        } else if (name === "c") {
          column = columnOf(attributes.get("r")) ?? column + 1;
          cell = { row, column, type: attributes.get("t") ?? "n", style: Number(attributes.get("s") ?? 0), text: "" };
        } else if (name === "v" || name === "t") inText = cell !== undefined;
      },
      close(name) {
        if (name === "v" || name === "t") inText = false;
        if (name !== "c" || !cell) return;
        const text = shownText(cell, reading);
        spend(reading.left, text);
        if (text !== "" && !rowHidden && Number.isInteger(cell.row) && cell.row >= 0) put(cells, cell.row, cell.column, text);
        cell = undefined;
      },
      text(more) {
        if (inText && cell) cell.text += more;
      },
    },
    reading.onProgress,
  );
  for (const [from, to] of hiddenColumns)
    for (const each of cells.values()) for (const at of [...each.keys()]) if (at >= from && at <= to) each.delete(at);
  for (const range of merged) repeatDown(cells, range);
  return cells;
}

const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

function put(cells: Map<number, Map<number, string>>, row: number, column: number, text: string): void {
  const known = cells.get(row) ?? new Map<number, string>();
  known.set(column, text);
  cells.set(row, known);
}

function shownText({ type, style, text }: Cell, { strings, formats, since1904 }: SheetReading): string {
  if (type === "s") return (strings[Number(text)] ?? "").trim();
  if (type === "b") return text === "1" ? "TRUE" : "FALSE";
  if (type === "n" || type === "d") return shownNumber(text.trim(), formats[style] ?? "", since1904);
  return text.trim();
}

/** "AB12" is in column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^\$?([A-Z]{1,3})/.exec(reference ?? "")?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Rows over which a merged cell's text is repeated. */
const MOST_REPEATED = 1_000;

function repeatDown(cells: Map<number, Map<number, string>>, range: string): void {
  const [from = "", to = ""] = range.split(":");
  const [first, last] = [from, to].map((reference) => Number(/\d+$/.exec(reference)?.[0] ?? Number.NaN) - 1);
  const column = columnOf(from);
  if (first === undefined || last === undefined || column === undefined) return;
  const text = cells.get(first)?.get(column);
  if (text === undefined) return;
  // Rows that hold nothing else stay empty: the cell only takes their room.
  for (let row = first + 1; row <= Math.min(last, first + MOST_REPEATED); row++)
    if (cells.get(row)?.has(column) === false) put(cells, row, column, text);
}
