import type { PDFDocumentProxy, TextItem } from "pdfjs-dist/types/src/display/api.js";
import { inColumns } from "./pdf-columns.ts";
import { pdfOperators } from "./pdf-engine.ts";
import type { Line, PageText } from "./pdf-layout.ts";
import { ligatureMender } from "./pdf-ligatures.ts";
import { pagePictures } from "./pdf-pictures.ts";
import { readInk } from "./pdf-visibility.ts";

/** Text smaller than this (in points) cannot be read by people. */
const SMALLEST_TYPE = 1;

/** Two pieces of a line further apart than this share of their size get a space between them. */
const WORD_GAP = 0.18;

/** A gap this many times the type's size may lie between two columns. */
const COLUMN_GAP = 1.2;

/** A line as it is put together: its parts are what wide gaps separate. */
interface OpenLine {
  parts: { text: string; x: number; end: number; y: number; size: number }[];
}

/** One page's lines, in the file's order unless that mixes columns, without what a reader of the page cannot see. */
export async function readPage(pdf: PDFDocumentProxy, number: number, wantsPictures = false): Promise<PageText> {
  const page = await pdf.getPage(number);
  const content = await page.getTextContent();
  const items = content.items.filter((item): item is TextItem => "str" in item);
  if (!items.some((item) => item.str.trim() !== "")) {
    const pictures = wantsPictures ? await pagePictures(page, await page.getOperatorList()) : [];
    page.cleanup();
    return { number, lines: [], pictures };
  }
  const operators = await pdfOperators();
  const instructions = await page.getOperatorList();
  const ink = readInk(instructions, operators);
  const mend = ligatureMender(instructions, operators.showText);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const lines: OpenLine[] = [];
  let line: OpenLine | undefined;
  let last: TextItem | undefined;
  for (const item of items) {
    const seen = ink.take(item.str);
    const text = mend(item.str);
    const size = sizeOf(item);
    const x = Number(item.transform[4]);
    const y = Number(item.transform[5]);
    const onPage = x >= left - size && x <= right + size && y >= bottom - size && y <= top + size;
    if (item.str !== "" && seen && onPage && (size >= SMALLEST_TYPE || item.str.trim() === "")) {
      if (line && last && (leavesLine(last, item) || last.hasEOL)) line = undefined;
      let part = line?.parts.at(-1);
      if (!line || !part) {
        part = { text: "", x, end: x, y, size };
        line = { parts: [part] };
        lines.push(line);
      } else if (last && isApart(last, item, COLUMN_GAP) && x > part.end) {
        part = { text: "", x, end: x, y, size };
        line.parts.push(part);
      } else if (last && isApart(last, item) && !/\s$/.test(part.text) && !/^\s/.test(item.str)) {
        part.text += " ";
      }
      if (item.str.trim() !== "" && part.text.trim() === "") part.size = size;
      part.text += text;
      if (item.str.trim() !== "") part.end = x + item.width;
      if (item.str.trim() !== "") last = item;
    }
    if (item.hasEOL) line = undefined;
  }
  page.cleanup();
  const written = lines.map(({ parts }) => parts.filter((part) => part.text.trim() !== "")).filter((parts) => parts.length > 0);
  const tidy = inColumns(written).map((parts): Line => {
    const [first] = parts as readonly [OpenLine["parts"][number]];
    return {
      text: parts
        .map((part) => part.text)
        .join(" ")
        .replace(/\s+/g, " ")
        .trim(),
      x: first.x,
      y: first.y,
      size: first.size,
    };
  });
  return { number, lines: tidy, scan: ink.scan };
}

const sizeOf = (item: TextItem): number => Math.hypot(Number(item.transform[2]), Number(item.transform[3])) || item.height;

/** A jump down or up by more than a line's height begins a new line even where the file says nothing. */
function leavesLine(last: TextItem, next: TextItem): boolean {
  if (Math.abs(Number(last.transform[1])) > Math.abs(Number(last.transform[0]))) return false;
  const size = Math.max(sizeOf(last), sizeOf(next));
  return Math.abs(Number(last.transform[5]) - Number(next.transform[5])) > size * 0.9;
}

/** Whether there is white space between two pieces that the file does not spell out, whichever of them is to the left. */
function isApart(last: TextItem, next: TextItem, share = WORD_GAP): boolean {
  if (Math.abs(Number(last.transform[1])) > 0.01) return false;
  const [lastLeft, nextLeft] = [Number(last.transform[4]), Number(next.transform[4])];
  const rightward = nextLeft - (lastLeft + last.width);
  const mixed = last.dir !== "ltr" || next.dir !== "ltr";
  const gap = mixed ? Math.max(rightward, lastLeft - (nextLeft + next.width)) : rightward;
  return gap > sizeOf(last) * share;
}
