import type { Page, PageElement } from "./html-page.ts";

/** Never text of the page: code, controls, drawings, other pages, and what is shown only to browsers without scripts. */
const NOT_TEXT =
  "title, meta, link, script, style, noscript, template, iframe, object, embed, svg, canvas, audio, video, select, button, textarea, dialog";

/** Rules of a style sheet that are looked at; more would take too long to match. */
const MOST_RULES = 2_000;

/**
 * Removes what a reader of the page does not see: scripts and the like, and elements hidden by attribute, by inline style or by
 * a simple rule of the page's own style sheets. A part that the page itself opens (a tab, an answer under its question) stays.
 */
export function removeHidden(page: Page): void {
  const opened = openedIds(page);
  const hidden = new Set<PageElement>([...page.querySelectorAll("[hidden]")]);
  for (const selector of hidingSelectors(page)) for (const element of matching(page, selector)) hidden.add(element);
  const plain = !page.querySelector('style, link[rel="stylesheet"]');
  for (const element of page.querySelectorAll("[style], font[color]")) {
    const style = normalised(element.getAttribute("style") ?? "");
    if (hides(style) || (plain && isWhite(style, element) && !onBackground(element))) hidden.add(element);
  }
  for (const element of page.querySelectorAll(NOT_TEXT)) element.remove();
  for (const element of hidden) {
    if (element.localName === "body" || element.localName === "html") continue;
    if (!opened.has(element.getAttribute("id") ?? "")) element.remove();
  }
  // No longer of use, and slow to read for whoever asks an element about its style.
  for (const element of page.querySelectorAll("[style]")) element.removeAttribute("style");
}

function openedIds(page: Page): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const control of page.querySelectorAll('[aria-controls], a[href^="#"]')) {
    const target = control.getAttribute("aria-controls") ?? control.getAttribute("href")?.slice(1);
    for (const id of target?.split(/\s+/) ?? []) if (id !== "") ids.add(id);
  }
  return ids;
}

const normalised = (style: string): string =>
  style
    .toLowerCase()
    .replace(/\/\*.*?\*\//g, "")
    .replace(/\s+|!important/g, "");

/** Declarations that take text out of sight. */
const hiding = [
  /^display:none$/,
  /^visibility:(?:hidden|collapse)$/,
  /^opacity:0?\.?0*%?$/,
  /^font-size:(?:0[a-z%]*|1px|0?\.\d+(?:px|pt|em|rem))$/,
  /^(?:left|top|right|bottom|text-indent|margin-left|margin-top):-\d{3,}/,
  /^(?:clip:rect\(0|clip-path:inset\((?:50|100)%)/,
];

function hides(style: string): boolean {
  const declarations = style.split(";");
  if (declarations.some((each) => hiding.some((way) => way.test(each)))) return true;
  return declarations.includes("overflow:hidden") && declarations.some((each) => /^(?:max-)?(?:height|width):0(?:px)?$/.test(each));
}

function isWhite(style: string, element: PageElement): boolean {
  const color = /(?:^|;)color:([^;]+)/.exec(style)?.[1] ?? element.getAttribute("color")?.toLowerCase();
  return color !== undefined && /^(?:white|#fff(?:fff)?|rgba?\(255,255,255(?:,[\d.]+)?\)|transparent)$/.test(color.trim());
}

function onBackground(element: PageElement): boolean {
  for (let each: PageElement | null = element; each; each = each.parentElement) {
    if (each.getAttribute("bgcolor") || each.getAttribute("background")) return true;
    if (/(?:^|;)background/.test(normalised(each.getAttribute("style") ?? ""))) return true;
  }
  return false;
}

/** Selectors of top-level rules that hide; rules for print or small screens say nothing about the page as it is read. */
function hidingSelectors(page: Page): string[] {
  const found: string[] = [];
  let rules = 0;
  for (const sheet of page.querySelectorAll("style")) {
    for (const { selector, body } of topLevelRules(sheet.textContent ?? "")) {
      if (++rules > MOST_RULES) return found;
      if (!hides(normalised(body))) continue;
      // Without combinators and states: ".menu:not(.open)" depends on what a script does.
      found.push(...selector.split(",").filter((each) => /^[\w.#-]+$/.test(each.trim())));
    }
  }
  return found;
}

function* topLevelRules(css: string): Generator<{ selector: string; body: string }> {
  const text = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "");
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    if (open < 0) return;
    const selector = text.slice(at, open).trim();
    const close = closing(text, open);
    if (!selector.includes("@")) yield { selector: selector.split(";").at(-1)?.trim() ?? "", body: text.slice(open + 1, close) };
    at = close + 1;
  }
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

function matching(page: Page, selector: string): readonly PageElement[] {
  try {
    return [...page.querySelectorAll(selector.trim())];
  } catch {
    // A selector that the parser does not know hides nothing.
    return [];
  }
}
