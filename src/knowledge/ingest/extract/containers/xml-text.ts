import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { fragmentBlocks } from "../html/html-fragment.ts";
import { titleFromName } from "../title.ts";
import { child, descendants, elements, isElement, parseXml, textOf, type XmlElement } from "./xml.ts";

/** Markup in general: the text of its elements, and of a news feed (RSS, Atom) its entries below their titles. */
export async function extractXml({ bytes, name }: ExtractInput): Promise<ExtractedDocument> {
  const root = parseXml(bytes);
  const isFeed = root.name === "rss" || root.name === "feed" || root.name === "RDF";
  const feed = root.name === "feed" ? root : child(root, "channel");
  const title = isFeed ? oneLine(textOf(child(feed, "title"))) : "";
  const blocks = isFeed ? [...descendants(root, "item", "entry")].flatMap(entryBlocks) : elementBlocks(root);
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "Its elements hold no text.");
  return { title: title || titleFromName(name), format: "xml", blocks, notes: [] };
}

function entryBlocks(entry: XmlElement): Block[] {
  const title = oneLine(textOf(child(entry, "title")));
  const parts = ["encoded", "content", "description", "summary"].map((part) => textOf(child(entry, part)).trim());
  // The summary repeats the beginning of the content.
  const body = parts.find((part) => part !== "") ?? "";
  const date = oneLine(textOf(child(entry, "pubDate") ?? child(entry, "updated") ?? child(entry, "published")));
  const headingPath = title === "" ? [] : [title];
  return [
    ...(date === "" ? [] : [{ kind: "prose" as const, text: date, headingPath }]),
    ...fragmentBlocks(body).map((block) => ({ ...block, headingPath: [...headingPath, ...block.headingPath] })),
  ];
}

/** An element with text of its own is a paragraph; the others only hold them. */
function elementBlocks(element: XmlElement): Block[] {
  const ownText = element.children.some((node) => !isElement(node) && node.trim() !== "");
  if (!ownText) return elements(element).flatMap(elementBlocks);
  const text = oneLine(textOf(element));
  return text === "" ? [] : [{ kind: "prose", text, headingPath: [] }];
}

const oneLine = (text: string): string => visibleText(text).replace(/\s+/g, " ").trim();
