import type { BlockContent, DefinitionContent, List, ListItem, Root, RootContent } from "mdast";
import { textRuns } from "./addresses.ts";
import { sentinel } from "./clean.ts";
import { type InlineContext, inlineRuns } from "./inline.ts";
import type { Line, Part, Run } from "./run.ts";
import { tableParts } from "./table.ts";
import { fenceLine } from "./write.ts";

const bullets = ["\u2022", "\u25E6", "\u25AA"];
const rule = "\u2014\u2014\u2014";

/** The blocks of a Markdown tree as parts of Slack messages, in order. */
export const blockParts = (root: Root, context: InlineContext): Part[] =>
  root.children.flatMap((node, index) => nodeParts(node, context, index > 0));

function nodeParts(node: RootContent | BlockContent | DefinitionContent, context: InlineContext, gap: boolean): Part[] {
  switch (node.type) {
    case "paragraph":
      return text(inlineRuns(node.children, {}, context), gap);
    case "heading": {
      const lines = toLines(inlineRuns(node.children, {}, context).map((run) => ({ ...run, bold: true })));
      return [{ kind: "text", gap, lines, heading: true }];
    }
    case "code":
      return [{ kind: "code", gap, head: [], lines: node.value.replaceAll(sentinel, "").split("\n").map(fenceLine) }];
    case "list":
      return listParts(node, context, 0, gap);
    case "blockquote":
      return quoteParts(
        node.children.flatMap((child, index) => nodeParts(child, context, index > 0)),
        gap,
      );
    case "table":
      return tableParts(node, context, gap);
    case "thematicBreak":
      return text([{ text: rule }], gap);
    case "html":
      return text(textRuns(node.value.replaceAll(sentinel, ""), {}, context.allowed), gap);
    case "footnoteDefinition": {
      const parts = node.children.flatMap((child, index) => nodeParts(child, context, index === 0 ? gap : true));
      return prefixed(parts, `Note ${node.label ?? node.identifier}: `, "");
    }
    case "definition":
      return [];
    default:
      // Front matter and inline nodes do not occur here: the parser makes none at this level.
      return [];
  }
}

function listParts(list: List, context: InlineContext, depth: number, gap: boolean): Part[] {
  const first = list.start ?? 1;
  return list.children.flatMap((item, index) => {
    const bullet = list.ordered ? `${first + index}.` : (bullets[Math.min(depth, bullets.length - 1)] ?? "");
    return itemParts(item, bullet, context, depth, index === 0 && gap);
  });
}

function itemParts(item: ListItem, bullet: string, context: InlineContext, depth: number, gap: boolean): Part[] {
  const indent = "    ".repeat(depth);
  const box = item.checked === true ? "\u2611 " : item.checked === false ? "\u2610 " : "";
  const mark = `${indent}${bullet} ${box}`;
  const rest = `${indent}${" ".repeat(bullet.length + 1)}`;
  const [head, ...others] = item.children;
  const opening = head?.type === "paragraph" ? nodeParts(head, context, gap) : [textPart([{ text: "" }], gap)];
  const body = (head?.type === "paragraph" ? others : item.children).flatMap((child) =>
    child.type === "list" ? listParts(child, context, depth + 1, false) : prefixed(nodeParts(child, context, false), rest, rest),
  );
  return [...prefixed(opening, mark, rest), ...body];
}

/** Every line gets Slack's quote mark; code in a quote becomes code lines, since Slack cannot quote a fence. */
const quoteParts = (parts: readonly Part[], gap: boolean): Part[] =>
  parts.map((part, index): Part => {
    const lines =
      part.kind === "text"
        ? part.lines
        : [...part.head, ...part.lines].map((code): Line => ({ prefix: "", rest: "", runs: [{ text: code, code: true }] }));
    const spaced = index > 0 && part.gap ? [{ prefix: "", rest: "", runs: [] }, ...lines] : lines;
    return {
      kind: "text",
      gap: index === 0 && gap,
      lines: spaced.map((line) => ({ ...line, prefix: `> ${line.prefix}`, rest: `> ${line.rest}` })),
    };
  });

/** Puts a mark before the first line of some parts and an indent before the others. */
function prefixed(parts: readonly Part[], mark: string, rest: string): Part[] {
  return parts.map((part, index) => {
    if (part.kind === "code") return part;
    const lines = part.lines.map((line, at) => ({
      ...line,
      prefix: (index === 0 && at === 0 ? mark : rest) + line.prefix,
      rest: rest + line.rest,
    }));
    return { ...part, lines };
  });
}

const text = (runs: readonly Run[], gap: boolean): Part[] => [textPart(runs, gap)];

const textPart = (runs: readonly Run[], gap: boolean): Part => ({ kind: "text", gap, lines: toLines(runs) });

/** Runs cut at their line breaks. */
export function toLines(runs: readonly Run[]): Line[] {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    run.text.split("\n").forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece) lines.at(-1)?.push({ ...run, text: piece });
    });
  }
  return lines.map((line) => ({ prefix: "", rest: "", runs: line }));
}
