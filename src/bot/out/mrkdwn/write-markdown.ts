import type { Run } from "./run.ts";
import { splitGraphemes } from "./width.ts";
import { tick } from "./write.ts";

/**
 * Slack's streams take Markdown instead of mrkdwn. These functions write it so that only what trusted code allowed is live: everything
 * else is escaped, and Slack's own forms (<!here>, <@U1>, <https://...>), which it resolves even there, are broken up.
 */

/** Shows nothing and is no space, so that marks beside it count and forms around it do not. */
const separator = "\u200B";
// A styled text longer than this is written as several, so that a message may end between them. In characters.
const longestStyled = 240;
// A word longer than this may be cut.
const longestWord = 400;

/** One line as atoms: pieces that belong together, in order. A message may end after any of them. */
export function markdownAtoms(runs: readonly Run[]): string[] {
  const atoms: string[] = [];
  const add = (text: string) => {
    if (text !== "") atoms.push(junction(atoms.at(-1) ?? "", text) + text);
  };
  for (const group of byStyle(runs)) {
    const marks = marksOf(group[0]);
    if (marks === "") for (const run of group) for (const atom of plainAtoms(run)) add(atom);
    else for (const atom of styledAtoms(group, marks)) add(atom);
  }
  return atoms;
}

/** What keeps two atoms from becoming something together: marks that meet, an exclamation mark before a link, a mark at a letter. */
function junction(before: string, after: string): string {
  if (before === "" || /\s$/.test(before) || /^\s/.test(after)) return "";
  if (/[*~`]$/.test(before) && /^[*~`]/.test(after)) return separator;
  return /[!\\]$/.test(before) && after.startsWith("[") ? separator : "";
}

function byStyle(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    const same = last && marksOf(last[0]) === marksOf(run);
    const mergeable = same && isPlain(run) && isPlain(last.at(-1));
    if (mergeable) last.push({ ...run, text: String(last.pop()?.text) + run.text });
    else if (same) last.push(run);
    else groups.push([run]);
  }
  return groups;
}

const isPlain = (run: Run | undefined): boolean => run !== undefined && !run.code && run.link === undefined;
const marksOf = (run: Run | undefined): string => (run ? (run.bold ? "**" : "") + (run.italic ? "*" : "") + (run.strike ? "~~" : "") : "");

function plainAtoms(run: Run): string[] {
  if (!isPlain(run)) return [writeOne(run)];
  const words = escapeMarkdown(run.text).split(/(?<=\s)(?=\S)/);
  return words.flatMap((word) => (word.length <= longestWord ? [word] : chunks(word)));
}

/** An unbroken string in pieces, never cut inside a character or an escape. */
function chunks(word: string): string[] {
  const out: string[] = [""];
  for (const char of word.match(/&[a-z]+;|\\./g) ? word.split(/(&[a-z]+;|\\.)/).flatMap(whole) : splitGraphemes(word)) {
    if ((out.at(-1) ?? "").length + char.length > longestWord) out.push("");
    out.push((out.pop() ?? "") + char);
  }
  return out;
}

const whole = (piece: string): string[] => (/^(?:&[a-z]+;|\\.)$/.test(piece) ? [piece] : splitGraphemes(piece));

/** A styled stretch, its marks hugging the words; a long one in several. */
function styledAtoms(group: readonly Run[], marks: string): string[] {
  const words = group.flatMap((run) => plainAtoms(run));
  const stretches: string[] = [];
  for (const word of words) {
    const last = stretches.at(-1);
    if (last !== undefined && last.length + word.length <= longestStyled) stretches.push(stretches.pop() + word);
    else stretches.push(word);
  }
  return stretches.map((text) => {
    const core = text.trim();
    if (core === "") return text;
    const start = text.indexOf(core);
    // A mark beside punctuation opens or closes nothing when a letter stands on its other side.
    const inner = `${/^[\p{P}\p{S}]/u.test(core) ? separator : ""}${core}${/[\p{P}\p{S}]$/u.test(core) ? separator : ""}`;
    return `${text.slice(0, start)}${marks}${inner}${[...(marks.match(/\*\*|\*|~~/g) ?? [])].reverse().join("")}${text.slice(start + core.length)}`;
  });
}

function writeOne(run: Run): string {
  if (run.code) {
    const code = brokenForms(run.text.replaceAll("`", tick).replace(/\n/g, " "));
    return code.trim() === "" ? code : `\`${code}\``;
  }
  const url = String(run.link)
    .replace(/[()<>\s\\|`"]/g, (char) => encodeURIComponent(char).replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29")))
    .replace(/&(?=#?\w+;)/g, "%26");
  const label = run.text.replaceAll("`", tick).replace(/\s+/g, " ").trim();
  // Brackets of a citation stay: Markdown allows them in pairs.
  const words = /^\[\d{1,4}\]$/.test(label) ? label : label === run.link ? url : escapeMarkdown(label).replace(/[[\]]/g, "\\$&");
  return `[${words}](${url})`;
}

/** Text that means nothing but its characters. */
const escapeMarkdown = (text: string): string =>
  text
    .replaceAll("`", tick)
    .replaceAll("\\", "\\\\")
    .replace(/[&<>]/g, (char) => (char === "&" ? "&amp;" : char === "<" ? "&lt;" : "&gt;"))
    .replace(/(?<!\s)\*|\*(?!\s|$)/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/~(?=~)|(?<=~)~/g, "\\~")
    .replace(/\](?=[([:])/g, "]\\")
    .replace(/@(?=(?:channel|here|everyone)\b)/gi, `@${separator}`);

/** A line's text, which must not begin a list, heading, rule, table or fence of its own. */
export const escapeLineStart = (text: string): string =>
  text.replace(/^(\s*)(?:(\d{1,9})([.)])(?=\s|$)|([#+=|~:-]))/, (_all, space: string, number?: string, dot?: string, mark?: string) =>
    number === undefined ? `${space}\\${mark}` : `${space}${number}\\${dot}`,
  );

/** Code in which none of Slack's own forms is left. Equal to the code itself when it holds none. */
export const brokenForms = (code: string): string => code.replace(/<(?=[!@#]|[a-z][a-z0-9+.-]*:)/gi, `<${separator}`);
