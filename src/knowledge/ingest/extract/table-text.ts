/** Columns shown of a table; a sheet may have 16,000. */
const MOST_COLUMNS = 200;

/**
 * Rows of cells as a Markdown table with the first row as header; line ends in cells become blanks. Empty rows are left out. Undefined
 * without a cell that says something.
 */
export function tableMarkdown(rows: readonly (readonly string[])[]): string | undefined {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  const width = Math.min(
    filled.reduce((most, row) => Math.max(most, row.length), 0),
    MOST_COLUMNS,
  );
  if (width === 0) return undefined;
  const columns = Array.from({ length: width }, (_, at) => at);
  const [head = "", ...rest] = filled.map((row) => `| ${columns.map((at) => cell(row[at] ?? "")).join(" | ")} |`);
  return [head, `| ${columns.map(() => "---").join(" | ")} |`, ...rest].join("\n");
}

const cell = (text: string): string => text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
