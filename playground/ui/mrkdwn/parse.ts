import { angleAsText } from "./angle.ts";
import { unescapeText } from "./escapes.ts";
import { parseInline } from "./inline.ts";
import type { Line, MrkdwnBlock } from "./nodes.ts";

/** Reads Slack's mrkdwn into a tree of plain data. Nothing in it is markup: whatever looks like HTML is text. */
export function parseMrkdwn(source: string): MrkdwnBlock[] {
  const blocks: MrkdwnBlock[] = [];
  // An odd piece stands between two fences; the last fence may still be open while an answer is being written.
  for (const [index, piece] of source.split("```").entries()) {
    if (index % 2 === 1) blocks.push({ type: "fence", text: fenceText(piece) });
    else blocks.push(...paragraphs(piece, index > 0));
  }
  return blocks;
}

const fenceText = (piece: string): string =>
  unescapeText(piece.replace(/^\n|\n$/g, "").replace(/<((?:https?:|mailto:)[^<>\n]+)>/g, (_whole, inner: string) => angleAsText(inner)));

function paragraphs(piece: string, afterFence: boolean): MrkdwnBlock[] {
  const text = (afterFence ? piece.replace(/^\n/, "") : piece).replace(/\n$/, "");
  if (!text) return [];
  const blocks: { type: "lines" | "quote"; lines: Line[] }[] = [];
  for (const raw of text.split("\n")) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(raw);
    const type = quoted ? "quote" : "lines";
    const last = blocks.at(-1);
    const line = parseLine(quoted ? (quoted[1] ?? "") : raw);
    if (last?.type === type) last.lines.push(line);
    else blocks.push({ type, lines: [line] });
  }
  return blocks;
}

const listItem = /^(\s*)([•◦▪‣☐☑☒–-]|\d{1,3}[.)])\s+(.*)$/u;
/** Spaces that stand for one level of a nested list in text. */
const spacesPerLevel = 4;

function parseLine(raw: string): Line {
  const item = listItem.exec(raw);
  if (!item) return { type: "line", depth: 0, children: parseInline(raw) };
  const [, indent = "", bullet = "•", text = ""] = item;
  return { type: "line", depth: Math.min(Math.ceil(indent.length / spacesPerLevel), 6), bullet, children: parseInline(text) };
}
