import { posix } from "node:path";
import { AppError } from "../../../core/errors.ts";
import { visibleText } from "../../../core/visible-text.ts";
import { authorOf } from "./author.ts";
import { attribute, child, descendants, elements, parseXml, textOf } from "./containers/xml.ts";
import type { ZipArchive } from "./containers/zip.ts";
import type { Block, ExtractedDocument, ExtractInput } from "./document.ts";
import { decodeText } from "./encoding.ts";
import { blocksOf } from "./html/html-blocks.ts";
import { removeHidden } from "./html/html-hidden.ts";
import { parsePage } from "./html/html-page.ts";
import { titleFromName } from "./title.ts";

/** An electronic book (EPUB): its chapters in reading order, each a page of HTML. */
export async function extractEpub({ name, onProgress }: ExtractInput, archive: ZipArchive): Promise<ExtractedDocument> {
  if (await isProtected(archive)) throw new AppError("DOCUMENT_UNREADABLE", "Its text is protected against copying and cannot be read.");
  const container = await archive.read("META-INF/container.xml");
  const packagePart = attribute(container && [...descendants(parseXml(container), "rootfile")][0], "full-path");
  const bytes = packagePart === undefined ? undefined : await archive.read(packagePart);
  if (packagePart === undefined || !bytes) throw new AppError("DOCUMENT_UNREADABLE", "It is not a complete book. Save or export it anew.");
  const book = parseXml(bytes);
  const metadata = elements(child(book, "metadata"));
  const stated = (field: string): string[] =>
    metadata.filter((each) => each.name === field).flatMap((each) => visibleText(textOf(each)).replace(/\s+/g, " ").trim() || []);
  const blocks: Block[] = [...about(stated("creator"), stated("description"))];
  const chapters = chapterParts(book, packagePart);
  for (const [index, part] of chapters.entries()) {
    const chapter = await archive.read(part);
    if (chapter) blocks.push(...chapterBlocks(chapter));
    onProgress(index + 1, chapters.length);
  }
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "Its chapters hold no text: they may be pictures.");
  return {
    title: stated("title")[0]?.slice(0, 200) ?? titleFromName(name),
    format: "epub",
    ...authorOf(...stated("creator")),
    blocks,
    notes: [],
  };
}

/** Fonts may be scrambled without harm; chapters may not. */
async function isProtected(archive: ZipArchive): Promise<boolean> {
  const bytes = await archive.read("META-INF/encryption.xml");
  const parts = bytes ? [...descendants(parseXml(bytes), "CipherReference")].map((each) => attribute(each, "URI") ?? "") : [];
  return parts.some((part) => /\.x?html?$/i.test(part));
}

const about = (authors: readonly string[], descriptions: readonly string[]): Block[] =>
  [authors.length === 0 ? "" : `Authors: ${authors.join(", ")}`, ...descriptions]
    .filter((text) => text !== "")
    .map((text) => ({ kind: "prose", text, headingPath: [] }));

/** Names of the chapters' parts, in the order in which they are read. The table of contents says nothing that they do not. */
function chapterParts(book: ReturnType<typeof parseXml>, packagePart: string): string[] {
  const items = new Map(elements(child(book, "manifest"), "item").map((item) => [attribute(item, "id"), item]));
  return elements(child(book, "spine"), "itemref").flatMap((reference) => {
    const item = items.get(attribute(reference, "idref"));
    const path = attribute(item, "href")?.split("#")[0];
    if (path === undefined || /(?:^|\s)nav(?:\s|$)/.test(attribute(item, "properties") ?? "")) return [];
    return [posix.join(posix.dirname(packagePart), decoded(path))];
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function chapterBlocks(bytes: Uint8Array): readonly Block[] {
  // What HTML takes for an opened element, XHTML means as an empty one.
  const source = decodeText(bytes).replace(/<(title|script|style|a|span|div|p|i|b|em)(\s[^<>]*)?\/>/gi, "<$1$2></$1>");
  const page = parsePage(source);
  removeHidden(page);
  return blocksOf(page.documentElement);
}
