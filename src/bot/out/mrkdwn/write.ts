import type { Line, Run } from "./run.ts";

/** Slack's only escapes. Done here and nowhere else, so that it happens exactly once. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (char) => (char === "&" ? "&amp;" : char === "<" ? "&lt;" : "&gt;"));

// Slack has no escape for its marks. A separator of no width parts a mark from the letter beside it.
const separator = "\u200B";
// A backtick of the text would pair with one of ours and let an address out of its code; it is shown as its look-alike.
export const tick = "\u02CB";

/** One line in Slack's mrkdwn. */
export const writeLine = (line: Line): string => line.prefix + writeRuns(line.runs);

/** Runs in Slack's mrkdwn: escaped, styles hugging their words, links in Slack's form. */
export function writeRuns(runs: readonly Run[]): string {
  let out = "";
  let marked = false;
  for (let index = 0; index < runs.length; ) {
    const run = runs[index] as Run;
    let next = index + 1;
    while (next < runs.length && sameStyle(run, runs[next] as Run)) next++;
    const [before, core, after] = hug(runs.slice(index, next));
    const marks = (run.bold ? "*" : "") + (run.italic ? "_" : "") + (run.strike ? "~" : "");
    const styled = marks !== "" && core !== "";
    const formatted = styled || core.startsWith("`");
    out += before;
    if (before !== "") marked = false;
    if (core && needsSeparator(out, core, formatted, marked)) out += separator;
    out += styled ? marks + core + [...marks].reverse().join("") : core;
    out += after;
    if (core || after) marked = after === "" && (styled || core.endsWith("`"));
    index = next;
  }
  return out;
}

function needsSeparator(before: string, core: string, formatted: boolean, marked: boolean): boolean {
  if (before === "") return false;
  if (formatted) return /[\p{L}\p{N}*_~`]$/u.test(before);
  return marked && /^[\p{L}\p{N}*_~]/u.test(core);
}

/** The runs of one style, with the white space around them outside the marks, where Slack wants it. */
function hug(runs: readonly Run[]): [string, string, string] {
  const text = runs.map(writeOne).join("");
  const code = runs[0]?.code === true;
  const core = code ? text : text.trim();
  if (core === "") return [text, "", ""];
  const start = text.indexOf(core);
  return [text.slice(0, start), core, text.slice(start + core.length)];
}

function writeOne(run: Run): string {
  if (run.code) return run.text.trim() === "" ? run.text : `\`${escapeText(run.text.replaceAll("`", tick).replace(/\n/g, " "))}\``;
  if (run.link === undefined) return escapeText(calm(run.text));
  const label = run.text.replaceAll("`", tick).replace(/[|\n]/g, " ").trim() || run.link;
  const href = run.link.replace(/[<>|\s]/g, (char) => encodeURIComponent(char)).replaceAll("&", "&amp;");
  return label === run.link && !/[|]/.test(run.link) ? `<${href}>` : `<${href}|${escapeText(label)}>`;
}

/** Marks that the writer meant as characters no longer begin a style. */
const calm = (text: string): string =>
  text.replaceAll("`", tick).replace(/(?<![\p{L}\p{N}*_~])([*_~])(?=[^\s*_~](?:[^\n]*[^\s])?\1(?![\p{L}\p{N}]))/gu, `$1${separator}`);

const sameStyle = (a: Run, b: Run): boolean =>
  !a.code && !b.code && !a.bold === !b.bold && !a.italic === !b.italic && !a.strike === !b.strike;

/** A fence in Slack's form. The language is left out: Slack would show it as text. */
export const writeFence = (lines: readonly string[]): string => `\`\`\`\n${lines.map(escapeText).join("\n")}\n\`\`\``;

/** A line that cannot close the fence it stands in. */
export const fenceLine = (line: string): string => line.replace(/`{3,}/g, (ticks) => tick.repeat(ticks.length));
