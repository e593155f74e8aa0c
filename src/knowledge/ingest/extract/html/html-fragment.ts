import type { Block } from "../document.ts";
import { blocksOf } from "./html-blocks.ts";
import { removeHidden } from "./html-hidden.ts";
import { parsePage } from "./html-page.ts";

/** The visible blocks of a piece of HTML inside another format. */
export function fragmentBlocks(html: string): readonly Block[] {
  const page = parsePage(html);
  removeHidden(page);
  return blocksOf(page.documentElement);
}
