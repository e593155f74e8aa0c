import { posix } from "node:path";
import mammoth from "mammoth";
import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import { attribute, elements, parseXml } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { blocksOf } from "../html/html-blocks.ts";
import { type Page, parsePage } from "../html/html-page.ts";
import { titleFromName } from "../title.ts";
import { withoutHiddenRuns } from "./docx-hidden.ts";
import { withHeadingNumbers } from "./docx-numbers.ts";
import { mainPart, propertyAuthor } from "./ooxml.ts";

/** Word's styles beyond those the converter knows. */
const STYLES = [
  "p[style-name='Title'] => h1.title:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "comment-reference => sup",
  ...[7, 8, 9].map((level) => `p[style-name='heading ${level}'] => h6:fresh`),
];

/** A Word document (DOCX) as it reads with all tracked changes accepted: headings, lists, tables, notes and text boxes. */
export async function extractDocx({ name, onProgress }: ExtractInput, archive: ZipArchive): Promise<ExtractedDocument> {
  const parts = await readParts(archive);
  onProgress(1, 3);
  const page = parsePage(await toHtml(archive, parts));
  onProgress(2, 3);
  const named = pageTitle(page);
  const notes = new Map([...moveNotes(page), ...moveComments(page, commentAuthors(parts))]);
  const blocks = blocksOf(page.documentElement).flatMap((block) => withNotes(block, notes));
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It may consist of pictures: run text recognition (OCR) on them.");
  const changed = [...parts.values()].some((xml) => /<(?:\w+:)?(?:ins|del|moveFrom|moveTo)\s/.test(xml));
  return {
    title: named ?? (await propertyTitle(archive)) ?? titleFromName(name),
    format: "docx",
    ...(await propertyAuthor(archive)),
    blocks,
    notes: changed ? ["It holds tracked changes: it was read as if all of them were accepted."] : [],
  };
}

/** The parts with text, without what a reader does not see. */
async function readParts(archive: ZipArchive): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const main = await mainPart(archive, "word/document.xml");
  for (const part of archive.names) {
    if (!part.endsWith(".xml") || notText.test(part)) continue;
    texts.set(part, new TextDecoder().decode(await archive.read(part)));
  }
  const shaded = [...texts.values()].some((xml) => background.test(xml));
  const sibling = (part: string, name: string): string | undefined => texts.get(posix.join(posix.dirname(part), name));
  return new Map(
    [...texts].map(([part, xml]) => {
      if (/styles|numbering|settings|fontTable/i.test(part)) return [part, xml];
      const shown = withoutHiddenRuns(xml, shaded);
      return [part, part === main ? withHeadingNumbers(shown, (name) => sibling(part, name)) : shown];
    }),
  );
}

/** Parts without text. The document itself may have any name. */
const notText = /^(?:customXml|docProps|_rels)\/|^\[|(?:^|\/)(?:theme|glossary|embeddings|media|charts|diagrams)\//i;

/** Any shading, highlighting, page colour or filled shape. */
const background = /<(?:\w+:)?(?:shd\s[^>]*fill\s*=\s*["'](?!auto|f{6})|highlight\s|background\s|solidFill[\s>]|gradFill[\s>])/i;

/** The converter is given the parts instead of the file, so that nothing is unpacked but within the archive's limits. */
async function toHtml(archive: ZipArchive, parts: ReadonlyMap<string, string>): Promise<string> {
  const file = {
    exists: (part: string) => archive.names.has(part) && part !== "mammoth/style-map",
    async read(part: string, encoding?: string) {
      const text = parts.get(part);
      if (text !== undefined && encoding !== "base64") return text;
      const bytes = Buffer.from((await archive.read(part)) ?? []);
      return encoding === "base64" ? bytes.toString("base64") : encoding ? bytes.toString("utf8") : bytes;
    },
  };
  try {
    const { value } = await mammoth.convertToHtml({ file } as never, {
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      styleMap: STYLES,
      convertImage: noImages,
    });
    return `<html><body>${value}</body></html>`;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("DOCUMENT_UNREADABLE", "It is not a complete Word document. Save or export it anew.", { cause: error });
  }
}

/** Pictures are not read, nor is their description, which a reader of the page does not see. */
const noImages = mammoth.images.imgElement(async () => ({ src: "" }));

/** A paragraph in the style "Title", or the only heading of the first level. */
function pageTitle(page: Page): string | undefined {
  const styled = page.querySelector("h1.title")?.textContent;
  const first = page.querySelectorAll("h1");
  const title = visibleText(styled ?? (first.length === 1 ? first[0]?.textContent : undefined) ?? "").trim();
  return title === "" ? undefined : title.slice(0, 200);
}

async function propertyTitle(archive: ZipArchive): Promise<string | undefined> {
  const bytes = await archive.read("docProps/core.xml");
  const title = /<dc:title>([^<]{4,200})<\/dc:title>/.exec(new TextDecoder().decode(bytes))?.[1];
  if (title === undefined || /&|^(?:untitled|microsoft word|document\d*$)|\.(?:docx?|dotx?)$/i.test(title)) return undefined;
  return visibleText(title).trim() || undefined;
}

/** Takes the foot- and endnotes from the end of the page: they are read where they are referred to. */
function moveNotes(page: Page): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const reference of page.querySelectorAll('sup a[id^="footnote-ref-"], sup a[id^="endnote-ref-"]')) {
    const target = page.querySelector(`[id="${reference.getAttribute("href")?.slice(1) ?? ""}"]`);
    const mark = reference.textContent ?? "";
    const text = visibleText(target?.textContent ?? "")
      .replace(/\s+/g, " ")
      .replace(/\s*↑\s*$/, "")
      .trim();
    if (target && text !== "") notes.set(mark, text);
    target?.remove();
  }
  return notes;
}

/** Takes the comments from the end of the page, too: they are read below what they are about. */
function moveComments(page: Page, authors: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const reference of page.querySelectorAll('sup a[id^="comment-ref-"]')) {
    const id = reference.getAttribute("href")?.slice("#comment-".length) ?? "";
    const term = page.querySelector(`[id="comment-${id}"]`);
    const text = visibleText(term?.nextElementSibling?.textContent ?? "")
      .replace(/\s+/g, " ")
      .replace(/\s*↑\s*$/, "")
      .trim();
    const mark = `[comment ${id}]`;
    (reference as { textContent: string | null }).textContent = mark;
    const author = authors.get(id);
    if (text !== "") comments.set(mark, `Comment${author ? ` by ${author}` : ""}: ${text}`);
    term?.nextElementSibling?.remove();
    term?.remove();
  }
  return comments;
}

function commentAuthors(parts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const xml = [...parts].find(([part]) => /(?:^|\/)comments\.xml$/.test(part))?.[1];
  const comments = xml === undefined ? [] : elements(parseXml(Buffer.from(xml)), "comment");
  return new Map(comments.map((each) => [attribute(each, "id") ?? "", visibleText(attribute(each, "author") ?? "").trim()]));
}

/** A block with the notes and comments that it refers to right below it. */
function withNotes(block: Block, notes: ReadonlyMap<string, string>): Block[] {
  const below = (block.text.match(/\[(?:comment )?\d+\]/g) ?? []).flatMap((mark) => {
    const text = notes.get(mark);
    if (text === undefined) return [];
    return [{ text: mark.startsWith("[c") ? text : `${mark} ${text}`, headingPath: block.headingPath, kind: "prose" as const }];
  });
  return [{ ...block, text: block.text.replace(/\[comment \d+\]/g, "") }, ...below];
}
