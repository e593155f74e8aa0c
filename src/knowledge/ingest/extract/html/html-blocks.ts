import { visibleText } from "../../../../core/visible-text.ts";
import type { Block } from "../document.ts";
import { Outline } from "../outline.ts";
import { childrenOf, isElement, isText, type PageElement, type PageNode } from "./html-page.ts";
import { tableText } from "./html-table.ts";

/** The blocks below an element, in reading order, under their headings. */
export function blocksOf(root: PageElement): readonly Block[] {
  const outline = new Outline();
  walk(root, outline);
  return outline.end();
}

/** Elements that stand in the line; every other one begins a block. */
const inline: ReadonlySet<string> = new Set(
  `a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark meter nobr output q rp rt ruby s samp small span strike strong sub
   sup time tt u var wbr`.split(/\s+/),
);

const heading = /^h([1-6])$/;

function walk(element: PageElement, outline: Outline): void {
  let line = "";
  const flush = () => {
    outline.add("prose", tidy(line));
    line = "";
  };
  for (const child of childrenOf(element)) {
    if (isText(child)) line += child.textContent ?? "";
    else if (isElement(child) && isInline(child)) line += inlineText(child);
    else if (isElement(child)) {
      flush();
      block(child, outline);
    }
  }
  flush();
}

function block(element: PageElement, outline: Outline): void {
  const level = heading.exec(element.localName)?.[1];
  if (level) {
    const text = tidy(inlineText(element))
      .replace(/\s+/g, " ")
      .replace(/(?:\s*(?:\[\s*edit\s*\]|[¶#]))+$/i, "");
    if (text !== "") outline.heading(Number(level), text);
    return;
  }
  switch (element.localName) {
    case "ul":
    case "ol":
    case "menu":
      for (const item of listItems(element, 0)) outline.add("list", item);
      return;
    case "table": {
      const text = tableText(element, cellText);
      if (text === undefined) walk(element, outline);
      else outline.add("table", text);
      return;
    }
    case "tr": {
      // Only rows of tables that place things come here; a simple one is still read as a line.
      const cells = [...childrenOf(element)].filter(isElement);
      if (cells.length < 2 || element.querySelector(BLOCKS)) walk(element, outline);
      else outline.add("prose", cells.map(cellText).filter(Boolean).join(" | "));
      return;
    }
    case "pre":
      outline.add("code", `\`\`\`\n${visibleText(element.textContent ?? "").replace(/^\n+|\s+$/g, "")}\n\`\`\``);
      return;
    case "dl":
      for (const item of definitions(element)) outline.add("list", item);
      return;
    default:
      walk(element, outline);
  }
}

/** An inline element that holds blocks (a link around a card) is treated as a block. */
const isInline = (element: PageElement): boolean => inline.has(element.localName) && !element.querySelector(BLOCKS);

const BLOCKS = "p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, pre, section, article, blockquote";

/** One text per item, nested items indented below it, as in Markdown. */
function listItems(list: PageElement, depth: number): string[] {
  const items: string[] = [];
  let number = Number.parseInt(list.getAttribute("start") ?? "1", 10) || 1;
  for (const child of childrenOf(list)) {
    if (!isElement(child)) continue;
    if (child.localName === "ul" || child.localName === "ol") {
      items.push(...listItems(child, depth + 1));
      continue;
    }
    const mark = list.localName === "ol" ? `${number++}.` : "-";
    const { own, nested } = itemText(child, depth);
    // Word writes a level that was skipped as an item without text.
    if (own !== "") items.push([`${"  ".repeat(depth)}${mark} ${own}`, ...nested].join("\n"));
    else items.push(...nested);
  }
  return items;
}

function itemText(item: PageElement, depth: number): { own: string; nested: readonly string[] } {
  const own: string[] = [];
  const nested: string[] = [];
  let line = "";
  const flush = () => {
    const text = tidy(line);
    if (text !== "") own.push(text);
    line = "";
  };
  for (const child of childrenOf(item)) {
    if (isElement(child) && (child.localName === "ul" || child.localName === "ol")) nested.push(...listItems(child, depth + 1));
    else if (isElement(child) && !isInline(child)) {
      flush();
      line = flatText(child);
      flush();
    } else line += isElement(child) ? inlineText(child) : isText(child) ? (child.textContent ?? "") : "";
  }
  flush();
  return { own: own.join("\n"), nested };
}

function definitions(list: PageElement): string[] {
  const items: string[] = [];
  for (const child of list.querySelectorAll("dt, dd")) {
    const text = tidy(flatText(child));
    if (text === "") continue;
    if (child.localName === "dt" || items.length === 0) items.push(text);
    else items[items.length - 1] += `\n  ${text}`;
  }
  return items;
}

const cellText = (cell: PageElement): string => tidy(flatText(cell)).replace(/\s*\n\s*/g, " ");

/** Text of an element with everything below it; blocks are separated by line feeds. */
function flatText(element: PageElement): string {
  if (element.localName === "pre") return element.textContent ?? "";
  let text = "";
  for (const child of childrenOf(element)) {
    if (isText(child)) text += child.textContent ?? "";
    else if (!isElement(child)) continue;
    else if (inline.has(child.localName)) text += inlineText(child);
    else text += `${LINE}${flatText(child)}${LINE}`;
  }
  return text;
}

function inlineText(node: PageNode): string {
  if (isText(node)) return node.textContent ?? "";
  if (!isElement(node)) return "";
  if (node.localName === "br") return LINE;
  if (node.localName === "input")
    return node.getAttribute("type") === "checkbox" ? (node.getAttribute("checked") === null ? "[ ] " : "[x] ") : "";
  if (node.localName === "rp" || node.localName === "rt") return "";
  return flatText(node);
}

/** A line break that is meant: those of the source are blanks. */
const LINE = "\u2028";

const tidy = (text: string): string =>
  visibleText(text.replace(/[^\S\u2028]+/g, " "))
    .replace(/ ?\u2028 ?/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
