import { escapeHtml } from "../html.ts";

/** A passage's text as HTML: paragraphs and lists with their lines, tables as tables, code as it is written. Everything in it is escaped. */
export function passageHtml(text: string): string {
  const parts: string[] = [];
  let lines: string[] = [];
  let code: string[] | undefined;
  const flush = (): void => {
    if (lines.some((line) => line.trim() !== "")) parts.push(isTable(lines) ? tableHtml(lines) : paragraphHtml(lines));
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) {
      if (code) parts.push(`<pre>${escapeHtml(code.join("\n"))}</pre>`);
      else flush();
      code = code ? undefined : [];
    } else if (code) code.push(line);
    else {
      // A table begins and ends where rows do, whatever stands next to it.
      if (line.trim() === "" || (lines.length > 0 && isRow(line) !== isRow(lines.at(-1) ?? ""))) flush();
      if (line.trim() !== "") lines.push(line);
    }
  }
  flush();
  if (code && code.length > 0) parts.push(`<pre>${escapeHtml(code.join("\n"))}</pre>`);
  return parts.join("\n");
}

const isRow = (line: string): boolean => /^\|.*\|\s*$/.test(line);
const isRule = (line: string): boolean => /^\|(?: ?:?-{3,}:? ?\|)+\s*$/.test(line);
const isTable = (lines: readonly string[]): boolean => lines.every(isRow);

const paragraphHtml = (lines: readonly string[]): string => `<p>${escapeHtml(lines.join("\n"))}</p>`;

/** The first row is the header where a rule follows it; a table that was cut within its rows has none. */
function tableHtml(lines: readonly string[]): string {
  const headed = isRule(lines[1] ?? "");
  const rows = lines.filter((line) => !isRule(line)).map(cellsOf);
  const row = (cells: readonly string[], tag: "td" | "th"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  const [head = [], ...rest] = rows;
  return `<div class="table"><table>${[row(head, headed ? "th" : "td"), ...rest.map((cells) => row(cells, "td"))].join("\n")}</table></div>`;
}

/** Cells of a row, in which a bar that is meant is written as \|. */
function cellsOf(line: string): string[] {
  const cells: string[] = [""];
  const inner = line.trim().slice(1, -1);
  for (let at = 0; at < inner.length; at++) {
    const character = inner.charAt(at);
    if (character === "\\" && inner.charAt(at + 1) === "|") cells.push(`${cells.pop() ?? ""}${inner.charAt(++at)}`);
    else if (character === "|") cells.push("");
    else cells.push(`${cells.pop() ?? ""}${character}`);
  }
  return cells.map((cell) => cell.trim());
}
