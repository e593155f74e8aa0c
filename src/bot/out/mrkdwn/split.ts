import type { Line, Part, Run, TableCells } from "./run.ts";
import { tablePieces, tableSize, tableText } from "./table-pieces.ts";
import { splitGraphemes } from "./width.ts";
import { escapeText, writeFence, writeLine, writeRuns } from "./write.ts";

/** How much fits, in characters as Slack counts them (after escaping). */
export interface TextLimits {
  /** Text of one section block; Slack refuses more than 3,000. */
  readonly section: number;
  /** All sections of one message. Slack's `text` takes 4,000 in an edit, and we put the whole message there too. */
  readonly message: number;
}

export const defaultLimits: TextLimits = { section: 2_900, message: 3_800 };

/** A table of a message, and what it says as text. */
export interface TableSection {
  readonly cells: TableCells;
  readonly text: string;
}

/** What a message shows, in order: texts of section blocks, and tables. */
export type Sections = readonly (string | TableSection)[];

/** What a section says, in mrkdwn. */
export const sectionText = (section: Sections[number]): string => (typeof section === "string" ? section : escapeText(section.text));

const fenceCost = writeFence([""]).length;
// A block is moved to the next message whole when it is at most this part of one; a longer one is begun here and continued there.
const keepWhole = 0.4;

/**
 * Lays parts out over sections and messages, cutting only where a reader would: between blocks, lines, sentences, words.
 * @param tables whether tables may stay tables; otherwise they are text
 */
export function paginate(parts: readonly Part[], limits: TextLimits = defaultLimits, tables = false): Sections[] {
  const layout = new Layout(limits);
  parts.forEach((part, index) => {
    if (tables && layout.placeTable(part)) return;
    const next = parts[index + 1];
    layout.place(part, part.kind === "text" && part.heading && next ? beginning(next, limits) : 0);
  });
  return layout.messages();
}

class Layout {
  readonly #limits: TextLimits;
  readonly #messages: (string | TableSection)[][] = [[]];
  /** Whether the table that is being read is shown as one. */
  #inTable = false;

  constructor(limits: TextLimits) {
    this.#limits = limits;
  }

  messages(): Sections[] {
    return this.#messages.filter((sections) => sections.length > 0);
  }

  /** Puts a part where it fits best; `follow` is what should still fit behind it, in characters. */
  place(part: Part, follow: number): void {
    const size = sizeOf(part) + follow;
    const gap = part.gap ? "\n\n" : "\n";
    if (size + gap.length > this.#room()) {
      if (size <= Math.min(this.#limits.section, this.#messageRoom())) this.#begin();
      else if (size <= this.#limits.section * keepWhole) this.#turn();
    }
    if (part.kind === "code") this.#code(part, gap);
    else for (const [index, line] of part.lines.entries()) this.#line(this.#shallow(line), index === 0 ? gap : "\n");
  }

  /** Takes a part that belongs to a table, if it can be shown as one. */
  placeTable({ table }: Part): boolean {
    if (table === "continued") return this.#inTable;
    const pieces = table && tablePieces(table, this.#limits.message);
    this.#inTable = pieces !== undefined;
    for (const cells of pieces ?? []) {
      if (tableSize(cells) > this.#messageRoom()) this.#turn();
      this.#sections().push({ cells, text: tableText(cells) });
    }
    return this.#inTable;
  }

  /** A line nested so deeply that its indent would fill the message is not indented at all. */
  #shallow(line: Line): Line {
    const deep = line.runs.length > 0 && Math.max(line.prefix.length, line.rest.length) > this.#limits.section / 4;
    return deep ? { ...line, prefix: "", rest: "" } : line;
  }

  /** Adds one line, continued as often as its length asks for. */
  #line(line: Line, gap: string): void {
    const text = writeLine(line);
    const room = this.#room() - gap.length;
    if (text.length <= room) this.#add(gap, text);
    else if (text.length <= this.#limits.section * keepWhole || room < this.#limits.section / 10) {
      this.#nextPlace(text.length);
      if (text.length <= this.#room()) this.#add("", text);
      else this.#cut(line, "");
    } else this.#cut(line, gap);
  }

  #cut(line: Line, gap: string): void {
    const [head, tail] = cutRuns(line.runs, this.#room() - gap.length - line.prefix.length);
    if (head.length > 0) this.#add(gap, line.prefix + writeRuns(head));
    if (tail.length === 0) return;
    this.#nextPlace(this.#limits.section);
    this.#line({ ...line, prefix: head.length > 0 ? line.rest : line.prefix, runs: tail }, "");
  }

  #code(part: Extract<Part, { kind: "code" }>, gap: string): void {
    let lines = [...part.head];
    let before = gap;
    let size = fenceCost + lines.reduce((sum, line) => sum + escapeText(line).length + 1, 0);
    const close = () => {
      this.#add(before, writeFence(lines));
      before = "";
    };
    for (const line of part.lines.flatMap((whole) => cutCode(whole, this.#limits.section - size))) {
      const length = escapeText(line).length + 1;
      if (size + length + before.length > this.#room()) {
        if (lines.length > part.head.length) close();
        this.#nextPlace(this.#limits.section);
        before = "";
        lines = [...part.head];
        size = fenceCost + lines.reduce((sum, head) => sum + escapeText(head).length + 1, 0);
      }
      lines.push(line);
      size += length;
    }
    if (lines.length > 0) close();
  }

  #add(gap: string, text: string): void {
    const sections = this.#sections();
    const last = sections.at(-1);
    if (typeof last !== "string") sections.push(text);
    else sections[sections.length - 1] = last ? `${last}${gap}${text}` : text;
  }

  /** Opens a new section when `size` still fits the message, else a new message. */
  #nextPlace(size: number): void {
    if (this.#messageRoom() >= Math.min(size, this.#limits.section / 4)) this.#begin();
    else this.#turn();
  }

  #begin(): void {
    if (textLength(this.#sections().at(-1)) > 0) this.#sections().push("");
  }

  #turn(): void {
    if (this.#sections().length > 0) this.#messages.push([]);
  }

  #sections(): (string | TableSection)[] {
    return this.#messages.at(-1) ?? [];
  }

  #sectionRoom(): number {
    return this.#limits.section - textLength(this.#sections().at(-1));
  }

  #messageRoom(): number {
    return this.#limits.message - this.#sections().reduce((sum, section) => sum + sectionSize(section) + 1, 0);
  }

  #room(): number {
    return Math.min(this.#sectionRoom(), this.#messageRoom());
  }
}

const sectionSize = (section: string | TableSection): number => (typeof section === "string" ? section.length : tableSize(section.cells));

const textLength = (section: string | TableSection | undefined): number => (typeof section === "string" ? section.length : 0);

function sizeOf(part: Part): number {
  if (part.kind === "code") return writeFence([...part.head, ...part.lines]).length;
  return part.lines.reduce((sum, line) => sum + writeLine(line).length + 1, 0);
}

/** How much of a part must fit below its heading: all of it when it would not be cut, else its first lines. */
function beginning(part: Part, limits: TextLimits): number {
  const size = sizeOf(part) + 2;
  return size <= limits.section * keepWhole ? size : 200;
}

const cutCode = (line: string, room: number): string[] => {
  if (escapeText(line).length <= room) return [line];
  const [head, tail] = cutGraphemes(line, (text) => escapeText(text).length <= room);
  return [head, ...cutCode(tail, room)];
};

/** Cuts runs so that the first half, written, takes at most `room` characters: at a sentence, else a word, else between characters. */
function cutRuns(runs: readonly Run[], room: number): [Run[], Run[]] {
  const atoms = runs.flatMap((run) => (run.code || run.link ? [run] : run.text.split(/(?<=\s)(?=\S)/).map((text) => ({ ...run, text }))));
  const fits = (count: number) => writeRuns(atoms.slice(0, count)).length <= room;
  let low = 0;
  let high = atoms.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  if (low === atoms.length) return [atoms, []];
  for (let at = low; at > low * 0.75; at--) {
    if (/[.!?\u3002\uFF01\uFF1F]["')\]]*\s*$/.test(atoms[at - 1]?.text ?? "")) return [atoms.slice(0, at), atoms.slice(at)];
  }
  if (low > 0) return [atoms.slice(0, low), atoms.slice(low)];
  const [first, ...others] = atoms;
  if (!first || room < 20) return [[], atoms];
  const [head, tail] = cutGraphemes(first.text, (text) => writeRuns([{ ...first, text }]).length <= room);
  return [[{ ...first, text: head }], [...(tail ? [{ ...first, text: tail }] : []), ...others]];
}

/** The longest beginning that fits, at least one character, and the rest. */
function cutGraphemes(text: string, fits: (text: string) => boolean): [string, string] {
  const chars = splitGraphemes(text);
  let low = 1;
  let high = chars.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(chars.slice(0, middle).join(""))) low = middle;
    else high = middle - 1;
  }
  return [chars.slice(0, low).join(""), chars.slice(low).join("")];
}
