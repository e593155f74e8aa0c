import type { Line, Part } from "../mrkdwn/run.ts";
import { splitGraphemes } from "../mrkdwn/width.ts";
import { brokenForms, escapeLineStart, markdownAtoms } from "../mrkdwn/write-markdown.ts";

/** One line of a streamed answer, in Slack's Markdown. */
export interface StreamLine {
  /** What parts it from the line before; left out where a message begins with it. */
  readonly lead: "\n\n" | "  \n" | "\n";
  /** Indent, bullet, quote mark: written as it is. */
  readonly prefix: string;
  /** A message may end after any of these, best after the last. */
  readonly atoms: readonly string[];
  /** Its atoms put together. */
  readonly text: string;
  /** Whether it stands in a fence, and is the first line there. */
  readonly fence?: "begins" | "goes on";
  /** What a message begins with that continues this line: its quote marks. */
  readonly again: string;
  /** A heading is not left alone at the end of a message. */
  readonly heading: boolean;
}

/** The lines of a part, and whether a stream shows them just as an edited message would. */
export interface StreamPart {
  readonly lines: readonly StreamLine[];
  /** False for tables, which an edited message shows as such, and for code in which characters had to be parted. */
  readonly exact: boolean;
}

const written = new WeakMap<Part, StreamPart>();

/** A part as lines of a stream; done once for each part. */
export function streamPart(part: Part): StreamPart {
  const known = written.get(part);
  if (known) return known;
  const made = part.kind === "code" ? codeLines(part) : textLines(part);
  written.set(part, made);
  return made;
}

function codeLines(part: Extract<Part, { kind: "code" }>): StreamPart {
  const code = [...part.head, ...part.lines];
  const lines = code.map((line, index): StreamLine => {
    const text = brokenForms(line);
    const lead = index === 0 && part.gap ? "\n\n" : "\n";
    return { lead, prefix: "", atoms: slices(text), text, fence: index === 0 ? "begins" : "goes on", again: "", heading: false };
  });
  return { lines, exact: part.head.length === 0 && lines.every(({ text }, index) => text === code[index]) };
}

const bullet = /^(\s*)([\u2022\u25E6\u25AA])( .*)$/s;
const begins = /^\s*(?:[-\u2022\u25E6\u25AA]|\d{1,9}[.)]) /;

function textLines(part: Extract<Part, { kind: "text" }>): StreamPart {
  let exact = true;
  const lines = part.lines.map((line, index): StreamLine => {
    const atoms = atomsOf(line);
    const prefix = line.prefix.replace(bullet, "$1-$3");
    if (line.runs.some(({ code, text }) => code && brokenForms(text) !== text)) exact = false;
    const again = /^(?:> )*/.exec(line.rest)?.[0] ?? "";
    return { lead: leadOf(part, line, index), prefix, atoms, text: atoms.join(""), again, heading: part.heading === true };
  });
  return { lines, exact };
}

/** A new paragraph, a list item of its own, or a line break that Markdown keeps. */
function leadOf(part: Extract<Part, { kind: "text" }>, line: Line, index: number): StreamLine["lead"] {
  if (index > 0) return "  \n";
  return part.gap || !(begins.test(line.prefix) || line.prefix.startsWith(">")) ? "\n\n" : "\n";
}

function atomsOf({ runs, prefix }: Line): string[] {
  const atoms = markdownAtoms(runs);
  const [first, ...others] = atoms;
  // Behind a bullet the text is at the beginning of a block again.
  return first === undefined || (prefix === "" && runs[0]?.link !== undefined) ? atoms : [escapeLineStart(first), ...others];
}

const longestSlice = 200;

/** A long line of code in slices, never cut inside a character. */
function slices(text: string): string[] {
  if (text.length <= longestSlice) return [text];
  const out = [""];
  for (const char of splitGraphemes(text)) {
    if ((out.at(-1) ?? "").length + char.length > longestSlice) out.push("");
    out.push((out.pop() ?? "") + char);
  }
  return out;
}
