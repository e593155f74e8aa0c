import type { StreamLine } from "./stream-lines.ts";

/** How much of an answer's lines has been written: lines begun, and how many characters of the last of them. */
export interface Position {
  readonly lines: number;
  readonly offset: number;
}

/** Where in one message the writing stands. */
export interface Pen {
  /** UTF-8 bytes of the message so far, as JSON. */
  readonly bytes: number;
  readonly empty: boolean;
  readonly fenced: boolean;
  /** Spaces taken off every line: a message that begins inside a nested list begins at the left. */
  readonly dedent: number;
}

export const freshPen: Pen = { bytes: 0, empty: true, fenced: false, dedent: 0 };

/** What comes next in a message. */
export interface Stroke {
  readonly text: string;
  readonly pen: Pen;
  readonly position: Position;
  /** Whether there is more than this message holds. */
  readonly more: boolean;
}

const fenceStart = "```\n";
const fenceEnd = "\n```";
// Bytes that closing a fence takes, as JSON.
const fenceEndBytes = 5;
// A line moves to the next message whole when it is at most this part of one.
const keepWhole = 0.4;
// A line that still grows is begun only with at least this part of a message left, so that few are cut.
const leastRoom = 0.2;
// What should still fit below a heading, in bytes.
const belowHeading = 400;

/** Bytes of a text as part of JSON. */
export const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Closes what is open at the end of a message. */
export const closing = (pen: Pen): string => (pen.fenced ? fenceEnd : "");

/**
 * What of `lines` fits a message of at most `limit` bytes, from `position` on.
 * @param growing whether the last line may become longer: it is then begun only where there is some room for it
 */
export function nextStroke(lines: readonly StreamLine[], position: Position, pen: Pen, limit: number, growing: boolean): Stroke {
  let state = pen;
  let at = position;
  let text = "";
  for (let index = Math.max(0, position.lines - 1); index < lines.length; index++) {
    const line = lines[index] as StreamLine;
    const begun = index < at.lines;
    if (begun && at.offset >= line.text.length) continue;
    const head = begun ? continued(line, state) : opening(line, state);
    const atoms = begun ? rest(line, at.offset) : line.atoms;
    const room = limit - head.pen.bytes - (head.pen.fenced ? fenceEndBytes : 0);
    const must = begun || state.empty;
    const cramped = growing && index === lines.length - 1 && !must && room < limit * leastRoom;
    const count = cramped ? undefined : fitting(atoms, room, line, limit, must);
    if (count === undefined) return { text, pen: state, position: at, more: true };
    const piece = atoms.slice(0, count).join("");
    text += head.text + piece;
    state = { ...head.pen, bytes: head.pen.bytes + jsonBytes(piece), empty: false };
    at = { lines: index + 1, offset: (begun ? at.offset : 0) + piece.length };
    if (count < atoms.length) return { text, pen: state, position: at, more: true };
  }
  return { text, pen: state, position: at, more: false };
}

/** How many atoms go into the message; undefined when the line had better begin in the next one. */
function fitting(atoms: readonly string[], room: number, line: StreamLine, limit: number, must: boolean): number | undefined {
  let used = 0;
  let count = 0;
  for (const atom of atoms) {
    used += jsonBytes(atom);
    if (used > room) break;
    count++;
  }
  const whole = count === atoms.length && room >= 0;
  if (whole) return line.heading && !must && room - used < belowHeading ? undefined : count;
  if (!must && (room < limit / 10 || jsonBytes(line.text) <= limit * keepWhole)) return undefined;
  if (count === 0) return must && room >= limit / 2 ? 1 : undefined;
  for (let at = count; at > count * 0.75; at--) if (/[.!?\u3002\uFF01\uFF1F]["')\]]*\s*$/.test(atoms[at - 1] ?? "")) return at;
  return count;
}

function opening(line: StreamLine, pen: Pen): { text: string; pen: Pen } {
  const indent = /^ */.exec(line.prefix)?.[0].length ?? 0;
  const dedent = pen.empty ? indent : Math.min(pen.dedent, indent);
  const goesOn = line.fence === "goes on" && pen.fenced;
  const lead = pen.empty ? "" : pen.fenced && !goesOn ? fenceEnd + line.lead : line.lead;
  const fence = line.fence && !goesOn ? fenceStart : "";
  const text = lead + fence + line.prefix.slice(dedent);
  return { text, pen: { ...pen, bytes: pen.bytes + jsonBytes(text), fenced: line.fence !== undefined, dedent } };
}

/** Goes on in a line that was begun; in a new message inside its fence or quote again. */
function continued(line: StreamLine, pen: Pen): { text: string; pen: Pen } {
  if (!pen.empty) return { text: "", pen };
  const text = line.fence ? fenceStart : line.again;
  return { text, pen: { ...pen, bytes: jsonBytes(text), fenced: line.fence !== undefined } };
}

/** The atoms behind the first `offset` characters. */
function rest(line: StreamLine, offset: number): string[] {
  const out: string[] = [];
  let at = 0;
  for (const atom of line.atoms) {
    if (at >= offset) out.push(atom);
    else if (at + atom.length > offset) out.push(atom.slice(offset - at));
    at += atom.length;
  }
  return out;
}

/** What was written of an answer, to see whether a newer state of it still begins like that. */
export class WrittenLines {
  #lines: StreamLine[] = [];
  #position: Position = { lines: 0, offset: 0 };

  get position(): Position {
    return this.#position;
  }

  /** Takes note that everything up to `position` is written. */
  note(lines: readonly StreamLine[], position: Position): void {
    this.#lines = lines.slice(0, position.lines);
    this.#position = position;
  }

  /**
   * "goes-on": nothing of it has to be taken back. "shrunk": it is a beginning of what was written, which may only be a state on the
   * way. "differs": something else was shown.
   */
  compare(lines: readonly StreamLine[]): "goes-on" | "shrunk" | "differs" {
    const { lines: count, offset } = this.#position;
    if (count === 0) return "goes-on";
    const common = Math.min(count, lines.length);
    for (let index = 0; index < common; index++) {
      const [mine, theirs] = [this.#lines[index] as StreamLine, lines[index] as StreamLine];
      if (mine === theirs) continue;
      if (mine.prefix !== theirs.prefix || mine.fence !== theirs.fence || (index > 0 && mine.lead !== theirs.lead)) return "differs";
      const shown = index === count - 1 ? mine.text.slice(0, offset) : mine.text;
      const last = index === common - 1;
      if (index === count - 1 ? theirs.text.startsWith(shown) : theirs.text === shown) continue;
      return last && shown.startsWith(theirs.text) ? "shrunk" : "differs";
    }
    return lines.length < count ? "shrunk" : "goes-on";
  }
}
