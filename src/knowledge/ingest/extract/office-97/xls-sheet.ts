import { type SheetBudget, spend } from "../office/xlsx-sheet.ts";
import { type NumberFormats, shownNumber } from "../office/xlsx-styles.ts";
import type { SheetCells } from "../sheet-blocks.ts";
import { type XlsRecord, XlsText } from "./xls-records.ts";

export interface XlsSheetReading {
  readonly strings: readonly string[];
  readonly formats: NumberFormats;
  readonly since1904: boolean;
  readonly left: SheetBudget;
}

const [SHARED, LABEL, NUMBER, RK, MANY_RK, FORMULA, STRING, BOOLEAN, ROW, COLUMNS, MERGED] = [
  0xfd, 0x204, 0x203, 0x27e, 0xbd, 0x06, 0x207, 0x205, 0x208, 0x7d, 0xe5,
];

/** The cells of a sheet as they are shown, without hidden rows and columns; merged cells repeat their text downwards. */
export function readXlsSheet(records: Iterable<XlsRecord>, { strings, formats, since1904, left }: XlsSheetReading): SheetCells {
  const cells = new Map<number, Map<number, string>>();
  const hiddenRows = new Set<number>();
  const hiddenColumns = new Set<number>();
  const merged: (readonly [first: number, last: number, column: number])[] = [];
  let formula: readonly [row: number, column: number] | undefined;
  const put = (row: number, column: number, text: string): void => {
    spend(left, text);
    if (text.trim() === "") return;
    const known = cells.get(row) ?? new Map<number, string>();
    known.set(column, text.trim());
    cells.set(row, known);
  };
  const number = (value: number, style: number): string => shownNumber(String(value), formats[style] ?? "", since1904);
  for (const record of records) {
    const { type, data } = record;
    if (data.length < 6) continue;
    const [row, column, style] = [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)];
    if (type === SHARED && data.length >= 10) put(row, column, strings[data.readUInt32LE(6)] ?? "");
    else if (type === LABEL) put(row, column, new XlsText(record, 6).string(2));
    else if (type === NUMBER && data.length >= 14) put(row, column, number(data.readDoubleLE(6), style));
    else if (type === RK && data.length >= 10) put(row, column, number(packedNumber(data, 6), style));
    else if (type === MANY_RK) {
      for (let at = 4; at + 6 <= data.length - 2; at += 6)
        put(row, column + (at - 4) / 6, number(packedNumber(data, at + 2), data.readUInt16LE(at)));
    } else if (type === BOOLEAN && data.length >= 8) put(row, column, data[7] === 0 ? (data[6] === 1 ? "TRUE" : "FALSE") : "");
    else if (type === FORMULA && data.length >= 14) {
      if (data.readUInt16LE(12) !== 0xffff) put(row, column, number(data.readDoubleLE(6), style));
      else if (data[6] === 0) formula = [row, column];
      else if (data[6] === 1) put(row, column, data[8] === 1 ? "TRUE" : "FALSE");
    } else if (type === STRING && formula) {
      put(...formula, new XlsText(record).string(2));
      formula = undefined;
    } else if (type === ROW && data.length >= 14 && data.readUInt16LE(12) & 0x20) hiddenRows.add(row);
    else if (type === COLUMNS && data.length >= 10 && data.readUInt16LE(8) & 1)
      for (let at = row; at <= Math.min(column, 255); at++) hiddenColumns.add(at);
    else if (type === MERGED) {
      for (let at = 2; at + 8 <= data.length; at += 8)
        merged.push([data.readUInt16LE(at), data.readUInt16LE(at + 2), data.readUInt16LE(at + 4)]);
    }
  }
  for (const row of hiddenRows) cells.delete(row);
  for (const each of cells.values()) for (const column of hiddenColumns) each.delete(column);
  for (const [first, last, column] of merged) {
    const text = cells.get(first)?.get(column);
    for (let row = first + 1; text !== undefined && row <= last; row++) cells.get(row)?.set(column, text);
  }
  return cells;
}

/** 30 bits of a number, with a bit that says whether they are whole and one that says whether they count hundredths. */
function packedNumber(data: Buffer, at: number): number {
  const bits = data.readInt32LE(at);
  const high = Buffer.alloc(8);
  high.writeInt32LE(bits & ~3, 4);
  const value = bits & 2 ? bits >> 2 : high.readDoubleLE(0);
  return bits & 1 ? value / 100 : value;
}
