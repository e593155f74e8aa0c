/** A part of a line that a wide gap separates from the next; in points, the origin at the bottom left. */
export interface LinePart {
  readonly text: string;
  readonly x: number;
  readonly end: number;
  readonly y: number;
  readonly size: number;
}

/** Rows that two columns must share before they are taken for columns. */
const FEWEST_ROWS = 6;
/** Characters in the middle one of a column's lines: shorter ones are cells of a table. */
const PROSE = 20;
/** Lines of a column of prose mostly fill it. */
const FILLED = 0.7;

/**
 * Parts of lines in reading order: where a file gives two columns of prose row by row, the left column comes first, then the right one. A file
 * that gives its columns one after the other already, and a table, stay as they are.
 * @returns the parts in order; those that belong to one line stay neighbours
 */
export function inColumns<T extends LinePart>(rows: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const gutter = findGutter(rows);
  if (gutter === undefined) return rows;
  const { x, first, last } = gutter;
  const band = rows.slice(first, last + 1);
  const left = band.flatMap((row) => nonEmpty(row.filter((part) => part.x < x)));
  const right = band.flatMap((row) => nonEmpty(row.filter((part) => part.x >= x)));
  // What lies to the right may be two columns again.
  return [...rows.slice(0, first), ...left, ...inColumns(right), ...inColumns(rows.slice(last + 1))];
}

const nonEmpty = <T>(row: readonly T[]): (readonly T[])[] => (row.length > 0 ? [row] : []);

/** Where a right column begins, and the first and last row that both columns share. */
function findGutter(rows: readonly (readonly LinePart[])[]): { x: number; first: number; last: number } | undefined {
  const starts = rows.flatMap((row, index) => row.slice(1).map((part) => ({ x: part.x, index, size: part.size })));
  let best: typeof starts = [];
  for (const { x, size } of starts) {
    const same = starts.filter((other) => Math.abs(other.x - x) <= size);
    if (same.length > best.length) best = same;
  }
  if (best.length < FEWEST_ROWS) return undefined;
  const x = Math.min(...best.map((each) => each.x)) - 1;
  const [first = 0, last = 0] = [best[0]?.index, best.at(-1)?.index];
  const band = rows.slice(first, last + 1);
  const crossing = band.filter((row) => row.some((part) => part.x < x && part.end > x + part.size));
  const both = band.filter((row) => row.some((part) => part.x < x) && row.some((part) => part.x >= x));
  if (crossing.length > 0 || both.length < band.length * 0.8) return undefined;
  const sides = [band.map((row) => row.filter((part) => part.x < x)), band.map((row) => row.filter((part) => part.x >= x))];
  return sides.every(isProse) ? { x, first, last } : undefined;
}

function isProse(side: readonly (readonly LinePart[])[]): boolean {
  const lines = side
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ text: parts.map(({ text }) => text).join(" "), width: widthOf(parts) }));
  const widest = Math.max(...lines.map(({ width }) => width));
  const lengths = lines.map(({ text }) => text.length).sort((a, b) => a - b);
  const letters = lines.map(({ text }) => text.replace(/\P{L}/gu, "").length).reduce((sum, each) => sum + each, 0);
  const all = lengths.reduce((sum, each) => sum + each, 0);
  const filled = lines.filter(({ width }) => width >= widest * FILLED).length;
  return (lengths[lengths.length >> 1] ?? 0) >= PROSE && letters > all / 2 && filled >= lines.length * FILLED;
}

const widthOf = (parts: readonly LinePart[]): number => (parts.at(-1)?.end ?? 0) - (parts[0]?.x ?? 0);
