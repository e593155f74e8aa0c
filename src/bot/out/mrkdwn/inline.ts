import type { Definition, Link, LinkReference, PhrasingContent } from "mdast";
import { type AllowedAddresses, addressRun, isAllowed, textRuns } from "./addresses.ts";
import { sentinel } from "./clean.ts";
import type { Run, Style } from "./run.ts";

/** What inline text may refer to. */
export interface InlineContext {
  readonly allowed: AllowedAddresses;
  /** Numbers that are citations, each with its address if it has one. */
  readonly citations: ReadonlyMap<number, string | undefined>;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Markdown the tree was made from: a link without brackets in it was no link to its writer. */
  readonly source: string;
}

/** Inline Markdown as runs. Line breaks are "\n" in a run's text. */
export function inlineRuns(nodes: readonly PhrasingContent[], style: Style, context: InlineContext): Run[] {
  const runs: Run[] = [];
  let text = "";
  const flush = () => {
    if (text) runs.push(...citedRuns(text.replaceAll(sentinel, ""), style, context));
    text = "";
  };
  for (const node of nodes) {
    const plain = plainText(node, context.source);
    if (plain === undefined) {
      flush();
      runs.push(...nodeRuns(node, style, context));
    } else text += plain;
  }
  flush();
  return runs;
}

/** Nodes that are only characters, so that an address or a marker spread over several of them is seen whole. */
function plainText(node: PhrasingContent, source: string): string | undefined {
  if (node.type === "text") return node.value;
  if (node.type === "html") return /^<br\s*\/?>$/i.test(node.value) ? "\n" : node.value;
  if (node.type === "break") return "\n";
  if (node.type !== "link") return undefined;
  const start = node.position?.start.offset;
  const bracketed = start !== undefined && /[[<]/.test(source[start] ?? "");
  return bracketed ? undefined : node.children.map((child) => ("value" in child ? child.value : "")).join("");
}

function nodeRuns(node: PhrasingContent, style: Style, context: InlineContext): Run[] {
  switch (node.type) {
    case "strong":
      return inlineRuns(node.children, { ...style, bold: true }, context);
    case "emphasis":
      return inlineRuns(node.children, { ...style, italic: true }, context);
    case "delete":
      return inlineRuns(node.children, { ...style, strike: true }, context);
    case "inlineCode":
      return [{ ...style, text: node.value.replaceAll(sentinel, ""), code: true }];
    case "link":
      return linkRuns(node, node.url, style, context);
    case "linkReference":
      return referenceRuns(node, style, context);
    case "image":
      return pictureRuns(node.alt, node.url, style, context);
    case "imageReference":
      return pictureRuns(node.alt, context.definitions.get(node.identifier)?.url, style, context);
    case "footnoteReference":
      return [{ ...style, text: `[note ${node.label ?? node.identifier}]` }];
    case "text":
    case "html":
    case "break":
      return [];
    default:
      node satisfies never;
      return [];
  }
}

/** A link: live when its address is allowed; else its words, then the whole address as code. */
function linkRuns(node: Link | LinkReference, url: string, style: Style, context: InlineContext): Run[] {
  const words = labelOf(node);
  const cited = /^\^?\d{1,4}$/.test(words) ? citationRuns(Number(words.replace("^", "")), style, context) : undefined;
  if (cited) return url === "" || context.citations.get(Number(words)) === url ? cited : [...cited, ...bracketed(url, style, context)];
  if (isAllowed(url, context.allowed)) return [{ ...style, text: words || url, link: url }];
  const target = url.replace(/^mailto:/i, "");
  if (words === "" || words === url || words === target) return [addressRun(words || url, style, context.allowed)];
  return [...inlineRuns(node.children, style, context), ...bracketed(url, style, context)];
}

function referenceRuns(node: LinkReference, style: Style, context: InlineContext): Run[] {
  const known = context.citations.has(Number(node.label)) && node.referenceType !== "full";
  return linkRuns(node, known ? "" : (context.definitions.get(node.identifier)?.url ?? ""), style, context);
}

/** A picture is never fetched: its description, and where it would have been. */
function pictureRuns(alt: string | null | undefined, url: string | undefined, style: Style, context: InlineContext): Run[] {
  const words = textRuns(alt || "image", style, context.allowed);
  return url ? [...words, ...bracketed(url, style, context)] : words;
}

const bracketed = (url: string, style: Style, context: InlineContext): Run[] =>
  url === "" ? [] : [{ ...style, text: " (" }, addressRun(url, style, context.allowed), { ...style, text: ")" }];

const labelOf = (node: { children: readonly PhrasingContent[] }): string =>
  node.children
    .map((child): string =>
      "value" in child ? child.value : "children" in child ? labelOf(child) : "alt" in child ? (child.alt ?? "") : "",
    )
    .join("")
    .replaceAll(sentinel, "")
    .replace(/\s+/g, " ")
    .trim();

/** Text with its [n] markers linked to their sources. Unknown numbers stay text. */
export function citedRuns(text: string, style: Style, context: InlineContext): Run[] {
  const runs: Run[] = [];
  for (const piece of text.split(/(\[\^?\d{1,4}\])/)) {
    const marker = /^\[\^?(\d{1,4})\]$/.exec(piece);
    const cited = marker && citationRuns(Number(marker[1]), style, context);
    if (cited) runs.push(...cited);
    else if (piece) runs.push(...textRuns(piece, style, context.allowed));
  }
  return runs;
}

function citationRuns(n: number, style: Style, context: InlineContext): Run[] | undefined {
  if (!context.citations.has(n)) return undefined;
  const url = context.citations.get(n);
  return [url === undefined ? { ...style, text: `[${n}]` } : { ...style, text: `[${n}]`, link: url }];
}
