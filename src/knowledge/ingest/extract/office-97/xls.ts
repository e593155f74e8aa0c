import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import type { CompoundFile } from "../containers/cfb.ts";
import { locked } from "../containers/compound-errors.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { sheetBudget } from "../office/xlsx-sheet.ts";
import { formatById } from "../office/xlsx-styles.ts";
import { sheetBlocks } from "../sheet-blocks.ts";
import { titleFromName } from "../title.ts";
import { recordsFrom, XlsText } from "./xls-records.ts";
import { readXlsSheet } from "./xls-sheet.ts";

const [FILE_PASS, SHEET, STRINGS, FORMAT, STYLE, EPOCH] = [0x2f, 0x85, 0xfc, 0x41e, 0xe0, 0x22];

/** A workbook of Excel 97 to 2003 (XLS): every sheet's tables under the sheet's name, without what is hidden. */
export async function extractXls({ name, onProgress }: ExtractInput, file: CompoundFile): Promise<ExtractedDocument> {
  const stream = Buffer.from(file.read("Workbook") ?? []);
  const sheets: { readonly at: number; readonly title: string; readonly shown: boolean }[] = [];
  const strings: string[] = [];
  const own = new Map<number, string>();
  const styles: number[] = [];
  let since1904 = false;
  for (const record of recordsFrom(stream, 0)) {
    const { type, data } = record;
    if (type === FILE_PASS) throw locked();
    if (type === EPOCH) since1904 = data[0] === 1;
    if (type === STYLE && data.length >= 4) styles.push(data.readUInt16LE(2));
    if (type === FORMAT && data.length >= 5) own.set(data.readUInt16LE(0), new XlsText(record, 2).string(2));
    if (type === SHEET && data.length >= 8 && data[5] === 0)
      sheets.push({ at: data.readUInt32LE(0), title: new XlsText(record, 6).string(1), shown: data[4] === 0 });
    if (type === STRINGS) {
      const text = new XlsText(record, 8);
      for (let left = data.length >= 8 ? data.readUInt32LE(4) : 0; left > 0 && !text.done; left--) strings.push(text.string(2));
    }
  }
  const formats = styles.map((id) => own.get(id) ?? formatById(id));
  const shown = sheets.filter((sheet) => sheet.shown);
  const blocks: Block[] = [];
  const left = sheetBudget();
  for (const [index, sheet] of shown.entries()) {
    const cells = readXlsSheet(recordsFrom(stream, sheet.at), { strings, formats, since1904, left });
    blocks.push(...sheetBlocks(visibleText(sheet.title).trim() || `Sheet ${index + 1}`, cells));
    onProgress(index + 1, shown.length);
  }
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "Its sheets hold no text.");
  const hidden = sheets.length - shown.length;
  const notes = hidden === 0 ? [] : [`${hidden} of ${sheets.length} sheets are hidden and were left out.`];
  return { title: titleFromName(name), format: "xls", blocks, notes };
}
