/** Text of one kind of formatting, by its place in the stream. */
export interface FormattedRun {
  readonly from: number;
  readonly to: number;
  /** Marked as hidden or as deleted. */
  readonly hidden: boolean;
  /** 1 to 9 in a heading. */
  readonly level: number | undefined;
}

export interface Formatting {
  /** The runs between two places, in order, without gaps. */
  runs(from: number, to: number): readonly FormattedRun[];
}

const PAGE = 512;
/** Pages of formatting looked at; a book of 5,000 pages has some 10,000. */
const MOST_PAGES = 50_000;
/** Properties that take text out of sight: marked as deleted, hidden, hidden in a web page. */
const [DELETED, HIDDEN] = [0x0800, 0x083c];

interface Span<T> {
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

/** What a document says of its characters and paragraphs, as far as it matters here. Damaged tables say nothing. */
export function readFormatting(main: Buffer, table: Buffer): Formatting {
  const hidden = spans(main, table, 0xfa, 1, isHidden).filter(({ value }) => value);
  const levels = spans(main, table, 0x102, 13, headingLevel).filter(({ value }) => value !== undefined);
  return {
    runs(from, to) {
      const covering = <T>(list: readonly Span<T>[]) => list.filter((span) => span.from < to && span.to > from);
      const [near, headings] = [covering(hidden), covering(levels)];
      const inner = [...near, ...headings].flatMap((span) => [span.from, span.to]).filter((at) => at > from && at < to);
      const cuts = [...new Set([from, ...inner, to])].sort((a, b) => a - b);
      return cuts.slice(0, -1).map((start, index) => {
        const isIn = (span: Span<unknown>): boolean => span.from <= start && span.to > start;
        return { from: start, to: cuts[index + 1] ?? to, hidden: near.some(isIn), level: headings.find(isIn)?.value };
      });
    },
  };
}

/** Formatting lies on pages of 512 bytes: places of text first, from the end backwards what holds between them. */
function spans<T>(main: Buffer, table: Buffer, header: number, width: number, read: (page: Buffer, at: number) => T): Span<T>[] {
  const start = main.readUInt32LE(header);
  const length = main.readUInt32LE(header + 4);
  if (start + length > table.length || length < 12) return [];
  const count = Math.min(MOST_PAGES, Math.floor((length - 4) / 8));
  const found: Span<T>[] = [];
  for (let index = 0; index < count; index++) {
    const number = table.readUInt32LE(start + (count + 1) * 4 + index * 4) & 0x3fffff;
    const page = main.subarray(number * PAGE, (number + 1) * PAGE);
    if (page.length < PAGE) continue;
    const runs = page[PAGE - 1] ?? 0;
    if ((runs + 1) * 4 + runs * width >= PAGE) continue;
    for (let run = 0; run < runs; run++) {
      const place = (page[(runs + 1) * 4 + run * width] ?? 0) * 2;
      found.push({ from: page.readUInt32LE(run * 4), to: page.readUInt32LE(run * 4 + 4), value: read(page, place) });
    }
  }
  return found;
}

function isHidden(page: Buffer, at: number): boolean {
  if (at === 0) return false;
  const end = Math.min(PAGE - 1, at + 1 + (page[at] ?? 0));
  for (let place = at + 1; place + 2 < end + 1 && place + 2 < PAGE; ) {
    const property = page.readUInt16LE(place);
    if ((property === DELETED || property === HIDDEN) && page[place + 2] === 1) return true;
    place += 2 + operandSize(property, page[place + 2] ?? 0);
  }
  return false;
}

/** Sizes of what follows a property, by the highest three bits of its number. */
const operandSize = (property: number, next: number): number => [1, 1, 2, 4, 2, 2, next + 1, 3][property >> 13] ?? 1;

/** Styles 1 to 9 are the headings, whatever they are called in the language of the program. */
function headingLevel(page: Buffer, at: number): number | undefined {
  if (at === 0) return undefined;
  const place = page[at] === 0 ? at + 2 : at + 1;
  if (place + 2 > PAGE) return undefined;
  const style = page.readUInt16LE(place);
  return style >= 1 && style <= 9 ? style : undefined;
}
