import { parse } from "csv-parse/sync";
import { AppError } from "../../../core/errors.ts";
import { visibleText } from "../../../core/visible-text.ts";
import type { ExtractedDocument, ExtractInput } from "./document.ts";
import { decodeText } from "./encoding.ts";
import { tableMarkdown } from "./table-text.ts";
import { titleFromName } from "./title.ts";

/** Rows of one file; more is a database and not something to read. */
const MOST_ROWS = 200_000;
/** Rows by which the separator is told. */
const SAMPLE_ROWS = 30;

/** A table as text (CSV, TSV), whatever separates its cells and in whatever encoding. */
export async function extractCsv({ bytes, name }: ExtractInput): Promise<ExtractedDocument> {
  const text = visibleText(decodeText(bytes).replace(/\r\n?/g, "\n"));
  const rows = read(text, separatorOf(text));
  if (rows.length > MOST_ROWS) throw new AppError("DOCUMENT_UNREADABLE", `It has more than ${MOST_ROWS} rows: split it.`);
  const table = tableMarkdown(rows);
  if (table === undefined) throw new AppError("DOCUMENT_EMPTY", "It holds nothing but blanks.");
  return { title: titleFromName(name), format: "csv", blocks: [{ kind: "table", text: table, headingPath: [] }], notes: [] };
}

const read = (text: string, delimiter: string, to = MOST_ROWS + 1): string[][] =>
  parse(text, { delimiter, to, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true, skipRecordsWithError: true }) as string[][];

/** The character that cuts the first rows into the most columns, most evenly. */
function separatorOf(text: string): string {
  const scored = [",", ";", "\t", "|"].map((separator) => {
    const widths = read(text, separator, SAMPLE_ROWS).map((row) => row.length);
    const usual = [...widths].sort((a, b) => a - b)[widths.length >> 1] ?? 1;
    const even = widths.filter((width) => width === usual).length / Math.max(1, widths.length);
    return { separator, score: usual < 2 ? 0 : even * Math.min(usual, 20) };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.separator ?? ",";
}
