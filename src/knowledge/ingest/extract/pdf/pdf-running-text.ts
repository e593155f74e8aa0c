import type { Line, PageText } from "./pdf-layout.ts";

/** How many of a page's uppermost and of its lowest lines may be a running header or footer. */
const MARGIN_LINES = 3;

/** Baselines of the same running line differ by less than this between pages, in points. */
const SAME_PLACE = 4;

/** A line on this share of the pages, at the same place, runs; on fewer it may be a repeated sentence. */
const MOST_PAGES = 0.6;

/**
 * Leaves out what the page says of itself: page numbers, and headers and footers that stand at the same place on most pages. Numbers
 * in them may only be the page's: "Salary: 41,000" on one form and "Salary: 44,000" on the next are no header. The first of a repeated text stays, since it may be the only place that names a version or a date.
 */
export function withoutRunningText(pages: readonly PageText[]): readonly PageText[] {
  // On a single page nothing runs: "Page 1 of 1" may as well be all it says.
  if (pages.length < 2) return pages;
  const runs = runningLines(pages);
  const numbered = pageNumbers(pages);
  const drop = new Set<Line>([...runs, ...numbered]);
  if (pages.every((page) => page.lines.every((line) => drop.has(line)))) return pages;
  return pages.map((page) => ({ ...page, lines: page.lines.filter((line) => !drop.has(line)) }));
}

/** The lines at a page's upper and lower edge, by where they stand and not by the file's order. */
function marginLines({ lines }: PageText): readonly Line[] {
  const byHeight = [...lines].sort((a, b) => b.y - a.y);
  return [...new Set([...byHeight.slice(0, MARGIN_LINES), ...byHeight.slice(-MARGIN_LINES)])];
}

const withoutNumbers = (text: string): string => text.toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");

function runningLines(pages: readonly PageText[]): Line[] {
  const filled = pages.filter((page) => page.lines.length > 0);
  const groups = new Map<string, { page: number; line: Line }[]>();
  for (const page of filled) {
    for (const line of marginLines(page)) {
      const key = withoutNumbers(line.text);
      const group = groups.get(key) ?? [];
      group.push({ page: page.number, line });
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap((group) => {
    const best = samePlace(group);
    const onPages = new Set(best.map(({ page }) => page)).size;
    if (onPages < Math.max(2, filled.length * MOST_PAGES) || !numbersFit(best)) return [];
    return best.slice(1).map(({ line }) => line);
  });
}

/** Whether every number of a repeated line is always the same or rises with the page. */
function numbersFit(group: readonly { page: number; line: Line }[]): boolean {
  const rows = group.map(({ page, line }) => ({ page, numbers: (line.text.match(/\d+/g) ?? []).map(Number) }));
  return (rows[0]?.numbers ?? []).every((_number, index) => {
    const values = rows.map(({ numbers }) => numbers[index]);
    const offsets = rows.map(({ page, numbers }) => (numbers[index] ?? Number.NaN) - page);
    return values.every((value) => value === values[0]) || offsets.every((offset) => offset === offsets[0]);
  });
}

/** The most lines of a group that stand at one place, in the order of pages. */
function samePlace(group: readonly { page: number; line: Line }[]): readonly { page: number; line: Line }[] {
  const byPlace = new Map<number, number>();
  for (const { line } of group) byPlace.set(Math.round(line.y), (byPlace.get(Math.round(line.y)) ?? 0) + 1);
  const [place = 0] = [...byPlace].sort((a, b) => b[1] - a[1])[0] ?? [];
  return group.filter(({ line }) => Math.abs(line.y - place) < SAME_PLACE);
}

/**
 * "3", "- 3 -", "Page 3", "3 / 4", "Seite 3 von 4" at a page's edge. A bare number counts only if others on most pages rise with
 * the page: the last line of a table is a number too.
 */
function pageNumbers(pages: readonly PageText[]): Line[] {
  const found = pages.flatMap((page) =>
    marginLines(page).flatMap((line) => {
      const match = pageNumber.exec(line.text);
      if (!match) return [];
      const spoken = Boolean(match[1]) || Number(match[3] ?? Number.NaN) === pages.length;
      return [{ line, page: page.number, offset: Number(match[2]) - page.number, spoken }];
    }),
  );
  const rising = new Map<number, Set<number>>();
  for (const { offset, page } of found) rising.set(offset, (rising.get(offset) ?? new Set()).add(page));
  const most = Math.max(2, pages.length * MOST_PAGES);
  return found.filter(({ offset, spoken }) => (spoken && offset === 0) || (rising.get(offset)?.size ?? 0) >= most).map(({ line }) => line);
}

const pageNumber =
  /^[-–—|[( ]*(page|seite|p\.|s\.|página|pagina|pág\.|sida|side|strona|стр\.)?\s*(\d{1,4})(?:\s*(?:\/|\||of|von|de|sur|di|van|av|z|из)\s*(\d{1,4}))?[-–—|\]) ]*$/iu;
