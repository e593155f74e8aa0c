import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import { attribute, child, elements } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { sheetBlocks } from "../sheet-blocks.ts";
import { titleFromName } from "../title.ts";
import { chartText } from "./chart.ts";
import { mainPart, propertyAuthor, propertyTitle, readTree, relationsOf } from "./ooxml.ts";
import { readSharedStrings, readSheet, sheetBudget } from "./xlsx-sheet.ts";
import { readNumberFormats } from "./xlsx-styles.ts";

/** A workbook (XLSX): every sheet's tables under the sheet's name. Hidden sheets, rows and columns are left out, since no reader sees them. */
export async function extractXlsx({ name, onProgress }: ExtractInput, archive: ZipArchive): Promise<ExtractedDocument> {
  const main = await mainPart(archive, "xl/workbook.xml");
  const workbook = await readTree(archive, main);
  const relations = await relationsOf(archive, main);
  const partOf = (type: string): string | undefined => [...relations.values()].find((each) => each.type === type)?.part;
  const strings = await readSharedStrings(archive, partOf("sharedStrings") ?? "xl/sharedStrings.xml");
  const formats = await readNumberFormats(archive, partOf("styles") ?? "xl/styles.xml");
  const since1904 = ["1", "true"].includes(child(workbook, "workbookPr")?.attributes.get("date1904") ?? "");
  const sheets = elements(child(workbook, "sheets"), "sheet");
  const shown = sheets.filter((sheet) => !/hidden/i.test(sheet.attributes.get("state") ?? ""));
  const blocks: Block[] = [];
  const left = sheetBudget();
  for (const [index, sheet] of shown.entries()) {
    const part = relations.get(attribute(sheet, "id") ?? "")?.part;
    const title = visibleText(sheet.attributes.get("name") ?? "").trim() || `Sheet ${index + 1}`;
    if (part === undefined) continue;
    const cells = await readSheet(archive, part, {
      strings,
      formats,
      since1904,
      left,
      onProgress: () => onProgress(index, shown.length),
    });
    blocks.push(...sheetBlocks(title, cells), ...(await chartBlocks(archive, part, title)));
    onProgress(index + 1, shown.length);
  }
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "Its sheets hold no text.");
  const hidden = sheets.length - shown.length;
  const notes = hidden === 0 ? [] : [`${hidden} of ${sheets.length} sheets are hidden and were left out.`];
  return {
    title: (await propertyTitle(archive)) ?? titleFromName(name),
    format: "xlsx",
    ...(await propertyAuthor(archive)),
    blocks,
    notes,
  };
}

async function chartBlocks(archive: ZipArchive, sheet: string, title: string): Promise<Block[]> {
  const drawings = [...(await relationsOf(archive, sheet)).values()].filter(({ type }) => type === "drawing");
  const blocks: Block[] = [];
  for (const drawing of drawings) {
    for (const { type, part } of (await relationsOf(archive, drawing.part)).values()) {
      const chart = type === "chart" ? chartText(await readTree(archive, part)) : undefined;
      if (!chart) continue;
      const text = visibleText([chart.title, chart.table].filter(Boolean).join("\n")).trim();
      blocks.push({ kind: chart.table === undefined ? "prose" : "table", text, headingPath: [title] });
    }
  }
  return blocks;
}
