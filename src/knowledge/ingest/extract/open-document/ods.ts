import { visibleText } from "../../../../core/visible-text.ts";
import { attribute, child, descendants, elements, textOf, type XmlElement } from "../containers/xml.ts";
import type { Block } from "../document.ts";
import { type SheetBudget, sheetBudget, spend } from "../office/xlsx-sheet.ts";
import { type SheetCells, sheetBlocks } from "../sheet-blocks.ts";

/** Equal cells beside one another, and equal rows, are stated as a number: beyond these they only fill the sheet. */
const MOST_REPEATED_COLUMNS = 200;
const MOST_REPEATED_ROWS = 1_000;

/** The tables of a spreadsheet's sheets under the sheets' names; hidden sheets, rows and columns are left out. */
export function odsBlocks(spreadsheet: XmlElement, hidden: ReadonlySet<string>): Block[] {
  const left = sheetBudget();
  return elements(spreadsheet, "table").flatMap((sheet, index) => {
    if (hidden.has(attribute(sheet, "style-name") ?? "")) return [];
    const title = visibleText(attribute(sheet, "name") ?? "").trim() || `Sheet ${index + 1}`;
    return sheetBlocks(title, cellsOf(sheet, left));
  });
}

function cellsOf(sheet: XmlElement, left: SheetBudget): SheetCells {
  const cells = new Map<number, Map<number, string>>();
  const hiddenColumns = columnsHidden(sheet);
  let number = 0;
  for (const row of descendants(sheet, "table-row")) {
    const found =
      attribute(row, "visibility") === undefined || attribute(row, "visibility") === "visible"
        ? rowOf(row, cells.get(number - 1), hiddenColumns)
        : new Map<number, string>();
    const repeated = repetition(row, "number-rows-repeated");
    for (let copy = 0; copy < (found.size === 0 ? 0 : Math.min(repeated, MOST_REPEATED_ROWS)); copy++) {
      for (const text of found.values()) spend(left, text);
      cells.set(number + copy, found);
    }
    number += repeated;
  }
  return cells;
}

function columnsHidden(sheet: XmlElement): ReadonlySet<number> {
  const hidden = new Set<number>();
  let at = 0;
  for (const column of descendants(sheet, "table-column")) {
    const repeated = repetition(column, "number-columns-repeated");
    if (["collapse", "filter"].includes(attribute(column, "visibility") ?? ""))
      for (let copy = 0; copy < Math.min(repeated, 16_384); copy++) hidden.add(at + copy);
    at += repeated;
  }
  return hidden;
}

function rowOf(row: XmlElement, above: ReadonlyMap<number, string> | undefined, hidden: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>();
  let column = 0;
  let spanned = 1;
  for (const cell of elements(row)) {
    if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue;
    const repeated = repetition(cell, "number-columns-repeated");
    // Covered by a cell to the left it stays empty, by one above it repeats that one's text.
    const covered = cell.name === "covered-table-cell";
    const text = covered ? (spanned > 1 ? "" : (above?.get(column) ?? "")) : cellText(cell);
    if (!covered) spanned = Number(attribute(cell, "number-columns-spanned") ?? 1) || 1;
    if (text !== "")
      for (let copy = 0; copy < Math.min(repeated, MOST_REPEATED_COLUMNS); copy++)
        if (!hidden.has(column + copy)) found.set(column + copy, text);
    column += repeated;
  }
  return found;
}

/** As it is shown; dates as they are kept (ISO 8601). */
function cellText(cell: XmlElement): string {
  const date = attribute(cell, "value-type") === "date" ? attribute(cell, "date-value") : undefined;
  if (date !== undefined) return date.replace("T00:00:00", "").replace("T", " ");
  const note = child(cell, "annotation");
  const shown = elements(cell, "p").map(textOf).join(" ").trim();
  const noted = note ? elements(note, "p").map(textOf).join(" ").trim() : "";
  return noted === "" ? shown : `${shown} (Comment: ${noted})`;
}

const repetition = (element: XmlElement, name: string): number => Math.max(1, Math.trunc(Number(attribute(element, name) ?? 1)) || 1);
