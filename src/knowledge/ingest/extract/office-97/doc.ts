import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import type { CompoundFile } from "../containers/cfb.ts";
import { locked } from "../containers/compound-errors.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { decodeWestern } from "../encoding.ts";
import { Outline } from "../outline.ts";
import { tableMarkdown } from "../table-text.ts";
import { titleFromName } from "../title.ts";
import { readFormatting } from "./doc-formatting.ts";

/** A document of Word 97 to 2003 (DOC): headings, paragraphs and tables, without hidden and deleted text. Notes and text boxes follow the text. */
export async function extractDoc({ name, onProgress }: ExtractInput, file: CompoundFile): Promise<ExtractedDocument> {
  const main = Buffer.from(file.read("WordDocument") ?? []);
  if (main.length < 0x1aa || main.readUInt16LE(0) !== 0xa5ec) throw damaged();
  const flags = main.readUInt16LE(0x0a);
  if (flags & 0x0100) throw locked();
  if (main.readUInt16LE(2) < 0x00c1)
    throw new AppError("FORMAT_UNSUPPORTED", "It is a document of Word 95 or older: save it anew as DOCX.");
  const table = Buffer.from(file.read(flags & 0x0200 ? "1Table" : "0Table") ?? []);
  const characters = textOf(main, table);
  onProgress(1, 2);
  const { blocks, title } = blocksOf(characters);
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It holds no text.");
  return { title: title ?? titleFromName(name), format: "doc", blocks, notes: [] };
}

const damaged = (): AppError => new AppError("DOCUMENT_UNREADABLE", "It is damaged or incomplete. Save or export it anew.");

/** A stretch of shown text; its end may be the end of a paragraph with a level of heading. */
interface Stretch {
  readonly text: string;
  readonly level: number | undefined;
}

/** The text lies in pieces, each in one byte or two a character, in an order of its own. */
function textOf(main: Buffer, table: Buffer): Stretch[] {
  const formatting = readFormatting(main, table);
  const found: Stretch[] = [];
  for (const { from, length, wide } of pieces(main, table)) {
    const width = wide ? 2 : 1;
    for (const run of formatting.runs(from, from + length * width)) {
      if (run.hidden) continue;
      const bytes = main.subarray(run.from, run.to);
      found.push({ text: wide ? bytes.toString("utf16le") : decodeWestern(bytes), level: run.level });
    }
  }
  return found;
}

function pieces(main: Buffer, table: Buffer): { from: number; length: number; wide: boolean }[] {
  const start = main.readUInt32LE(0x1a2);
  const end = start + main.readUInt32LE(0x1a6);
  if (end > table.length) throw damaged();
  let at = start;
  // Properties of single pieces come first.
  while (at + 3 < end && table[at] === 1) at += 3 + table.readUInt16LE(at + 1);
  if (at + 5 > end || table[at] !== 2) throw damaged();
  const count = Math.floor((table.readUInt32LE(at + 1) - 4) / 12);
  const places = at + 5;
  if (count < 1 || places + count * 12 + 4 > table.length) throw damaged();
  return Array.from({ length: count }, (_, index) => {
    const length = table.readUInt32LE(places + (index + 1) * 4) - table.readUInt32LE(places + index * 4);
    const stated = table.readUInt32LE(places + (count + 1) * 4 + index * 8 + 2);
    const wide = (stated & 0x40000000) === 0;
    const from = wide ? stated & 0x3fffffff : (stated & 0x3fffffff) >> 1;
    if (length < 0 || from + length * (wide ? 2 : 1) > main.length) throw damaged();
    return { from, length, wide };
  });
}

/** Ends of paragraphs and cells, fields and breaks are single characters in the text. */
function blocksOf(stretches: readonly Stretch[]): { blocks: readonly Block[]; title: string | undefined } {
  const outline = new Outline();
  let title: string | undefined;
  let line = "";
  let cells: string[] = [];
  let rows: string[][] = [];
  let instructions = 0;
  const taken = (): string => {
    const text = visibleText(line).trim();
    line = "";
    return text;
  };
  const endTable = (): void => {
    const table = tableMarkdown(rows);
    rows = [];
    if (table !== undefined) outline.add("table", table);
  };
  const paragraph = (level: number | undefined): void => {
    const text = taken();
    if (cells.length === 0) endTable();
    if (text === "") return;
    if (level === undefined) outline.add("prose", text);
    else {
      if (level === 1) title ??= text.slice(0, 200);
      outline.heading(level, text.replace(/\s+/g, " "));
    }
  };
  for (const { text, level } of stretches) {
    for (const [at, character] of [...text].entries()) {
      const code = character.charCodeAt(0);
      // A field is its instruction, a mark, and what it shows.
      if (code === 0x13) instructions++;
      else if (code === 0x14 || code === 0x15) instructions = Math.max(0, instructions - (code === 0x14 || instructions > 0 ? 1 : 0));
      else if (instructions > 0) continue;
      else if (code === 0x07) {
        const cell = taken();
        const ends = cell === "" && cells.length > 0 && (text[at - 1] === "\u0007" || at === 0);
        if (!ends) cells.push(cell);
        else {
          rows.push(cells);
          cells = [];
        }
      } else if (code === 0x0d || code === 0x0c) {
        // Between the first cell of a row and its last a paragraph ends only a line.
        if (cells.length > 0) line += " ";
        else paragraph(level);
      } else if (code === 0x0b) line += "\n";
      else if (code === 0x1e) line += "-";
      else if (code >= 0x20 || code === 0x09) line += character;
    }
  }
  paragraph(undefined);
  endTable();
  return { blocks: outline.end(), title };
}
