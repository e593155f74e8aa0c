import type { PDFDocumentProxy, TextItem } from "pdfjs-dist/types/src/display/api.js";
import { pdfOperators } from "./pdf-engine.ts";
import type { Line, PageText } from "./pdf-layout.ts";
import { readInk } from "./pdf-visibility.ts";

/** Text smaller than this (in points) cannot be read by people. */
const SMALLEST_TYPE = 1;

/** Two pieces of a line further apart than this share of their size get a space between them. */
const WORD_GAP = 0.18;

/** One page's lines, in the file's order, without what a reader of the page cannot see. */
export async function readPage(pdf: PDFDocumentProxy, number: number): Promise<PageText> {
  const page = await pdf.getPage(number);
  const content = await page.getTextContent();
  const items = content.items.filter((item): item is TextItem => "str" in item);
  if (!items.some((item) => item.str.trim() !== "")) return { number, lines: [] };
  const ink = readInk(await page.getOperatorList(), await pdfOperators());
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const lines: Line[] = [];
  let line: Line | undefined;
  let last: TextItem | undefined;
  for (const item of items) {
    const seen = ink.take(item.str);
    const size = sizeOf(item);
    const x = Number(item.transform[4]);
    const y = Number(item.transform[5]);
    const onPage = x >= left - size && x <= right + size && y >= bottom - size && y <= top + size;
    if (item.str !== "" && seen && onPage && (size >= SMALLEST_TYPE || item.str.trim() === "")) {
      if (line && last && (leavesLine(last, item) || last.hasEOL)) line = undefined;
      if (!line) {
        line = { text: "", x, y, size };
        lines.push(line);
      } else if (last && isApart(last, item) && !/\s$/.test(line.text) && !/^\s/.test(item.str)) {
        line.text += " ";
      }
      if (item.str.trim() !== "" && line.text.trim() === "") line.size = size;
      line.text += item.str;
      last = item;
    }
    if (item.hasEOL) line = undefined;
  }
  page.cleanup();
  const tidy = lines.map((each) => ({ ...each, text: each.text.replace(/\s+/g, " ").trim() })).filter((each) => each.text !== "");
  return { number, lines: tidy, scan: ink.scan };
}

const sizeOf = (item: TextItem): number => Math.hypot(Number(item.transform[2]), Number(item.transform[3])) || item.height;

/** A jump down or up by more than a line's height begins a new line even where the file says nothing. */
function leavesLine(last: TextItem, next: TextItem): boolean {
  if (Math.abs(Number(last.transform[1])) > Math.abs(Number(last.transform[0]))) return false;
  const size = Math.max(sizeOf(last), sizeOf(next));
  return Math.abs(Number(last.transform[5]) - Number(next.transform[5])) > size * 0.9;
}

/** Whether there is white space between two pieces that the file does not spell out. */
function isApart(last: TextItem, next: TextItem): boolean {
  if (Math.abs(Number(last.transform[1])) > 0.01 || last.dir !== "ltr" || next.dir !== "ltr") return false;
  const gap = Number(next.transform[4]) - (Number(last.transform[4]) + last.width);
  return gap > sizeOf(last) * WORD_GAP;
}
