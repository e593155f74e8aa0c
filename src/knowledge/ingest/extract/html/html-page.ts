import { parseHTML } from "linkedom";
import { AppError } from "../../../../core/errors.ts";

/** What is used of the document object model. The parser loads nothing that a page refers to, and no script runs. */
export interface PageNode {
  /** 1 element, 3 text, 8 comment. */
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly nextSibling: PageNode | null;
  readonly parentElement: PageElement | null;
}

export interface PageElement extends PageNode {
  /** In lower case. */
  readonly localName: string;
  readonly firstChild: PageNode | null;
  readonly firstElementChild: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  contains(other: PageNode): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>;
  remove(): void;
}

export interface Page extends Pick<PageElement, "querySelector" | "querySelectorAll"> {
  /** Everything is below it; whether there is a body, and where, depends on how carefully the page was written. */
  readonly documentElement: PageElement;
  cloneNode(deep: true): Page;
}

/** Deeper elements are not a page that a person wrote, and whoever walks them runs out of stack. */
const DEEPEST = 1_000;

/** Throws AppError DOCUMENT_UNREADABLE for a page that is nested too deeply. */
export function parsePage(html: string): Page {
  if (statedDepth(html) > DEEPEST) throw new AppError("DOCUMENT_UNREADABLE", "Its elements are nested too deeply. Save it anew.");
  // The parser takes the first element for the root and loses what follows.
  const whole = /<html[\s>]/i.test(html) ? html : `<html>${html.replace(/^\s*<!doctype[^>]*>/i, "")}</html>`;
  return (parseHTML(whole) as unknown as { document: Page }).document;
}

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;
export const isText = (node: PageNode): boolean => node.nodeType === 3;

/** A node's children, for loops that may remove the child they are at. */
export function* childrenOf(element: PageElement): Generator<PageNode> {
  for (let child = element.firstChild; child; ) {
    const next: PageNode | null = child.nextSibling;
    yield child;
    child = next;
  }
}

/**
 * How deep the tags go as they are written, found without parsing, since parsers need quadratic time for a page of nothing but
 * opened elements. Elements that need no end tag are not counted.
 */
function statedDepth(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, end, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (endless.has(name.toLowerCase())) continue;
    depth = end ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const endless: ReadonlySet<string> = new Set(
  `area base br col embed hr img input link meta param source track wbr
   p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rt rp path circle rect line polygon polyline ellipse use stop`.split(
    /\s+/,
  ),
);
