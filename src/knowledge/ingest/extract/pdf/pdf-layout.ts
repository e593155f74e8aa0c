import type { Block } from "../document.ts";

/** The lines of one page, in reading order. `number` is 1-based. */
export interface PageText {
  readonly number: number;
  readonly lines: readonly Line[];
  /** Whether a picture that may be a scan is on the page. */
  readonly scan?: boolean;
  /** Pictures of a page without text, as gray PNG files, if they were asked for. */
  readonly pictures?: readonly Uint8Array[];
}

/** A line of type: its beginning and size in points, the origin at the bottom left. */
export interface Line {
  text: string;
  readonly x: number;
  readonly y: number;
  size: number;
}

/** Type larger than the body's by this factor, in a short line, is a heading. */
const HEADING_FACTOR = 1.15;
const LONGEST_HEADING = 120;

/** Lines further apart than this many times the usual distance begin a new paragraph. */
const PARAGRAPH_GAP = 1.35;

/** Makes paragraphs under their headings out of lines. A paragraph never crosses a page. */
export function layOut(pages: readonly PageText[]): Block[] {
  const body = bodySize(pages);
  const levels = headingSizes(pages, body);
  const compounds = hyphenatedWords(pages);
  const blocks: Block[] = [];
  let path: { size: number; text: string }[] = [];
  for (const page of pages) {
    let paragraph: Line[] = [];
    let openHeading: { size: number; y: number } | undefined;
    const flush = () => {
      if (paragraph.length > 0) {
        blocks.push({
          text: joinLines(paragraph, compounds),
          page: page.number,
          headingPath: path.map((each) => each.text),
          kind: "prose",
        });
      }
      paragraph = [];
    };
    const spacing = usualSpacing(page.lines);
    for (const line of page.lines) {
      const size = Math.round(line.size * 2) / 2;
      if (levels.has(size) && isHeading(line.text)) {
        flush();
        const last = path.at(-1);
        const continues = openHeading && last && last.size === size && Math.abs(openHeading.y - line.y) < size * 2;
        if (continues && last) path[path.length - 1] = { size, text: `${last.text} ${line.text}` };
        else path = [...path.filter((each) => each.size > size), { size, text: line.text }];
        openHeading = { size, y: line.y };
        if (continues) replaceLast(blocks, line.text);
        else blocks.push({ text: line.text, page: page.number, headingPath: path.map((each) => each.text), kind: "heading" });
        continue;
      }
      openHeading = undefined;
      const above = paragraph.at(-1);
      if (above && beginsParagraph(above, line, spacing)) flush();
      paragraph.push(line);
    }
    flush();
  }
  return blocks;
}

function replaceLast(blocks: Block[], more: string): void {
  const last = blocks.pop();
  if (last) blocks.push({ ...last, text: `${last.text} ${more}`, headingPath: [...last.headingPath.slice(0, -1), `${last.text} ${more}`] });
}

const isHeading = (text: string): boolean => text.length <= LONGEST_HEADING && /\p{L}{2}/u.test(text) && !/[.;,]$/.test(text);

function beginsParagraph(above: Line, line: Line, spacing: number): boolean {
  const gap = above.y - line.y;
  if (gap < 0) return true;
  if (gap > spacing * PARAGRAPH_GAP) return true;
  if (/^(?:[•◦▪●‣∙·–-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s/u.test(line.text)) return true;
  return Math.abs(above.size - line.size) > 1.5 && Math.abs(gap) > 1;
}

/** The distance of most neighbouring lines on a page. */
function usualSpacing(lines: readonly Line[]): number {
  const gaps = lines.slice(1).flatMap((line, index) => {
    const gap = (lines[index]?.y ?? 0) - line.y;
    return gap > 2 && gap < 60 ? [Math.round(gap * 2) / 2] : [];
  });
  return mostFrequent(gaps.map((gap) => [gap, 1])) ?? 14;
}

/** The size in which most characters are set. */
const bodySize = (pages: readonly PageText[]): number =>
  mostFrequent(pages.flatMap((page) => page.lines.map((line): [number, number] => [Math.round(line.size * 2) / 2, line.text.length]))) ??
  12;

function headingSizes(pages: readonly PageText[], body: number): ReadonlySet<number> {
  const sizes = pages.flatMap((page) => page.lines.map((line) => Math.round(line.size * 2) / 2));
  return new Set(sizes.filter((size) => size >= body * HEADING_FACTOR));
}

function mostFrequent(weighted: readonly [number, number][]): number | undefined {
  const sums = new Map<number, number>();
  for (const [value, weight] of weighted) sums.set(value, (sums.get(value) ?? 0) + weight);
  return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
}

/** Words that are spelt with a hyphen within a line, so that the hyphen also stays at a line's end. */
function hyphenatedWords(pages: readonly PageText[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const page of pages) {
    for (const line of page.lines) for (const word of line.text.match(/\p{L}+-\p{L}+/gu) ?? []) words.add(word.toLowerCase());
  }
  return words;
}

function joinLines(lines: readonly Line[], compounds: ReadonlySet<string>): string {
  let text = "";
  for (const { text: next } of lines) {
    const cut = /(\p{L}+)-$/u.exec(text);
    const rest = /^\p{Ll}+/u.exec(next)?.[0];
    if (cut && rest) text = compounds.has(`${cut[1]}-${rest}`.toLowerCase()) ? text + next : text.slice(0, -1) + next;
    else if (text === "" || (wide.test(text) && wideStart.test(next))) text += next;
    else text += ` ${next}`;
  }
  return text;
}

/** Chinese and Japanese set no space where a line ends. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，]$/u;
const wideStart = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，]/u;
