import type { Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { sentinel } from "./clean.ts";

// One tilde is how people write "about": only two strike through.
const parser = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze();

/** Cleaned Markdown as a tree, after mending what models write and strict parsers refuse. `source` is what the positions refer to. */
export function parseMarkdown(markdown: string): { tree: Root; source: string } {
  const source = mapProse(shallow(markdown), mend);
  return { tree: parser.parse(source), source };
}

/** One line opens no more lists and quotations inside each other than this: the parser's time grows with the square of the depth. */
const DEEPEST = 24;
const opener = "[ \\t]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]|>)";
const tooDeep = new RegExp(`^((?:${opener}){${DEEPEST}}[ \\t]*\\d*)([-*+>.)])`, "gm");
const rule = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/;

/** The same text, in which markers beyond the deepest level are ordinary characters. Rules of dashes and fences stay as they are. */
function shallow(markdown: string): string {
  if (markdown.search(tooDeep) < 0) return markdown;
  return byFences(markdown)
    .map(({ text, fenced }) =>
      fenced ? text : text.replace(/^.*$/gm, (line) => (rule.test(line) ? line : line.replace(tooDeep, "$1\\$2"))),
    )
    .join("");
}

/** Applies `change` to the text outside fences and code spans. */
function mapProse(markdown: string, change: (prose: string) => string): string {
  let out = "";
  for (const { text, fenced } of byFences(markdown)) {
    if (fenced) out += text;
    else
      out += text.replace(/(?<!`)(`+)(?!`)[^`](?:[\s\S]*?[^`])??\1(?!`)|[^`]+|`+/g, (piece) =>
        piece.startsWith("`") ? piece : change(piece),
      );
  }
  return out;
}

/** The text cut where fences begin and end; an open fence reaches to the end. */
export function byFences(markdown: string): { text: string; fenced: boolean }[] {
  const pieces: { text: string; fenced: boolean }[] = [];
  let fence: string | undefined;
  let text = "";
  const flush = (fenced: boolean) => {
    if (text) pieces.push({ text, fenced });
    text = "";
  };
  for (const line of markdown.split(/(?<=\n)/)) {
    const mark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})(.*)/.exec(line.trimEnd());
    if (fence === undefined && mark?.[1]) {
      flush(false);
      fence = mark[1];
      text = line;
    } else {
      text += line;
      const closes = fence !== undefined && mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "";
      if (closes) {
        flush(true);
        fence = undefined;
      }
    }
  }
  flush(fence !== undefined);
  return pieces;
}

const cjk = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
// **Result:**fine: a mark after punctuation and before a letter closes nothing in CommonMark. A letter-like sentinel inside mends it.
const strong = /(?<![\p{L}\p{N}*\\]|^\*)(?<=^|[^*])\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*(?!\*)/gu;
const strongInCjk = new RegExp(`(?<=[${cjk}])\\*\\*(?=[^\\s*])([^*\\n]*[^\\s*])\\*\\*(?!\\*)`, "gu");
// <https://example.com|label>: Slack's own form, which models have seen.
const slackLink = /<((?:https?:\/\/|mailto:)[^|<>\s]+)\|([^<>\n]*)>/g;

function mend(prose: string): string {
  const whole = (_all: string, inner: string) => {
    const opened = /^\p{P}/u.test(inner) ? sentinel : "";
    const closed = /\p{P}$/u.test(inner) ? sentinel : "";
    return `**${opened}${inner}${closed}**`;
  };
  return prose
    .replace(/(?<=\d)\*{1,2}(?=\d)/g, (stars) => stars.replaceAll("*", "\\*"))
    .replace(strong, whole)
    .replace(strongInCjk, whole)
    .replace(slackLink, (_all, url: string, label: string) => `[${label.replace(/[[\]\\]/g, "\\$&")}](<${url}>)`);
}
