import { Readability } from "@mozilla/readability";
import type { Page, PageElement } from "./html-page.ts";

/** What surrounds the content of a page. */
const AROUND =
  'nav, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], [role="complementary"], [role="menu"], [role="menubar"]';

/** A part that holds less of the page's own words (those outside links) than this is not its main content. */
const MAIN_SHARE = 0.5;

/** Larger pages are taken whole: judging every element would take too long. */
const MOST_ELEMENTS = 50_000;

const MARK = "data-footnote-place";

/**
 * Finds the element that holds what the page is about, and removes menus, footers and the like around and in it. Readability says where the
 * content is; it is then read whole, since Readability itself drops lists of links and small tables, which in a handbook are content.
 */
export function mainContent(page: Page): PageElement {
  for (const element of page.querySelectorAll(AROUND)) if (!isPartOfContent(element)) element.remove();
  for (const header of page.querySelectorAll("header"))
    if (!within(header, contentElements) && !header.querySelector("h1")) header.remove();
  const whole = ownWords(page.documentElement);
  const enough = (part: PageElement | undefined): part is PageElement => part !== undefined && ownWords(part) >= whole * MAIN_SHARE;
  const marked = mark(page);
  if (marked.length === 0 || marked.length > MOST_ELEMENTS) return page.documentElement;
  const found = readable(page, marked);
  return enough(found) ? found : page.documentElement;
}

/** Within the content these roles mean no more than its own head and foot, and are often given to what is neither. */
const isPartOfContent = (element: PageElement): boolean =>
  ["contentinfo", "banner"].includes(element.getAttribute("role") ?? "") && within(element, contentElements);

const contentElements: ReadonlySet<string> = new Set(["main", "article", "section"]);

function within(element: PageElement, names: ReadonlySet<string>): boolean {
  for (let each = element.parentElement; each; each = each.parentElement) if (names.has(each.localName)) return true;
  return false;
}

/** A table or list is read whole, not from within. */
function outsideOfParts(element: PageElement): PageElement {
  let outside = element;
  for (let each: PageElement | null = element; each; each = each.parentElement) {
    if (/^(?:table|ul|ol|dl|pre)$/.test(each.localName) && each.parentElement) outside = each.parentElement;
  }
  return outside;
}

/** Length of the text outside links. */
function ownWords(element: PageElement): number {
  let links = 0;
  for (const link of element.querySelectorAll("a")) links += lengthOf(link);
  return Math.max(0, lengthOf(element) - links);
}

const lengthOf = (element: PageElement): number => (element.textContent ?? "").replace(/\s+/g, "").length;

function mark(page: Page): readonly PageElement[] {
  const marked = [...page.documentElement.querySelectorAll("p, li, pre, td, blockquote, dd, h2, h3, h4")];
  marked.forEach((element, index) => {
    element.setAttribute(MARK, String(index));
  });
  return marked;
}

/** The smallest element that holds everything Readability keeps. */
function readable(page: Page, marked: readonly PageElement[]): PageElement | undefined {
  const clone = page.cloneNode(true);
  let content: PageElement | undefined;
  try {
    const reader = new Readability(clone as never, { charThreshold: 200, serializer: (node) => node as unknown });
    content = reader.parse()?.content as PageElement | undefined;
  } catch {
    // It gives up on pages that are no pages; they are read whole.
    return undefined;
  }
  const kept = [...(content?.querySelectorAll(`[${MARK}]`) ?? [])].map((element) => marked[Number(element.getAttribute(MARK))]);
  let smallest: PageElement | null | undefined;
  for (const element of kept) {
    if (!element) continue;
    smallest ??= element.parentElement;
    while (smallest && !smallest.contains(element)) smallest = smallest.parentElement;
  }
  return smallest ? outsideOfParts(smallest) : undefined;
}
