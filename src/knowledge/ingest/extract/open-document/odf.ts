import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import { authorOf } from "../author.ts";
import { attribute, child, elements, isElement, parseXml, textOf, type XmlElement } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { titleFromName } from "../title.ts";
import { hiddenStyles, OdfText } from "./odf-text.ts";
import { odsBlocks } from "./ods.ts";

/** A document of LibreOffice and others (OpenDocument): text (ODT), sheets (ODS) or slides (ODP). */
export async function extractOdf({ name, onProgress }: ExtractInput, archive: ZipArchive): Promise<ExtractedDocument> {
  const manifest = new TextDecoder().decode(await archive.read("META-INF/manifest.xml"));
  if (/<(?:\w+:)?encryption-data[\s/>]/.test(manifest)) {
    throw new AppError("DOCUMENT_UNREADABLE", "It is protected by a password. Save it without one and add it again.");
  }
  const bytes = await archive.read("content.xml");
  if (!bytes) throw new AppError("DOCUMENT_UNREADABLE", "It is not a complete OpenDocument file. Save or export it anew.");
  const content = parseXml(bytes);
  onProgress(1, 2);
  const hidden = hiddenStyles(content);
  const body = child(content, "body");
  const [text, sheets, slides] = ["text", "spreadsheet", "presentation"].map((kind) => child(body, kind));
  const read = sheets
    ? { format: "ods" as const, blocks: odsBlocks(sheets, hidden) }
    : slides
      ? { format: "odp" as const, ...slideBlocks(slides, hidden) }
      : { format: "odt" as const, ...textBlocks(text ?? child(body, "drawing"), hidden) };
  if (read.blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It holds no text.");
  const meta = await metaOf(archive);
  const { firstTitle, pages, changed, ...document } = { firstTitle: undefined, pages: undefined, changed: false, ...read };
  return {
    title: meta.title ?? firstTitle ?? titleFromName(name),
    ...document,
    ...meta.author,
    ...(pages === undefined ? {} : { pages }),
    notes: changed ? ["It holds tracked changes: it was read as if all of them were accepted."] : [],
  };
}

/** What the file says about itself. */
async function metaOf(archive: ZipArchive): Promise<{ readonly title: string | undefined; readonly author: { readonly author?: string } }> {
  const bytes = await archive.read("meta.xml");
  const meta = bytes && child(parseXml(bytes), "meta");
  const title = visibleText(textOf(child(meta, "title"))).trim();
  const begun = authorOf(textOf(child(meta, "initial-creator")));
  return {
    title: title.length >= 4 && title.length <= 200 ? title : undefined,
    author: begun.author === undefined ? authorOf(textOf(child(meta, "creator"))) : begun,
  };
}

function textBlocks(
  body: XmlElement | undefined,
  hidden: ReadonlySet<string>,
): { blocks: readonly Block[]; firstTitle: string | undefined; changed: boolean } {
  const reader = new OdfText(hidden);
  reader.walk(body);
  return {
    blocks: reader.end(),
    firstTitle: reader.title,
    changed: elements(body, "tracked-changes").some((each) => elements(each, "changed-region").length > 0),
  };
}

/** Every slide's texts and tables below its title, then what the speaker wrote. */
function slideBlocks(
  presentation: XmlElement,
  hidden: ReadonlySet<string>,
): { blocks: readonly Block[]; firstTitle: string | undefined; pages: number } {
  const slides = elements(presentation, "page");
  const titles = slides.map((slide) => {
    const frame = elements(slide, "frame").find((each) => attribute(each, "class") === "title");
    const reader = new OdfText(hidden);
    if (frame) reader.walk(frame);
    return reader
      .end()
      .map(({ text }) => text)
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
  });
  const blocks = slides.flatMap((slide, index): Block[] => {
    const title = titles[index];
    const notes = child(slide, "notes");
    const place = { page: index + 1, pageName: `slide ${index + 1}`, headingPath: title ? [title] : [] };
    const shapes = slide.children.filter((node) => isElement(node) && node !== notes && attribute(node, "class") !== "title");
    const [own, spoken] = [shapes, elements(notes, "frame").filter((each) => attribute(each, "class") === "notes")].map((nodes) => {
      const reader = new OdfText(hidden);
      for (const node of nodes) if (isElement(node)) reader.walk({ ...node, name: "frame", children: [node] });
      return reader.end();
    });
    const noted = (spoken ?? []).map(({ text }) => text).join("\n");
    return [
      ...(title ? [{ kind: "heading" as const, text: title, ...place }] : []),
      ...(own ?? []).map(({ kind, text }) => ({ kind, text, ...place })),
      ...(noted === "" ? [] : [{ kind: "prose" as const, text: `Notes: ${noted}`, ...place }]),
    ];
  });
  return { blocks, firstTitle: titles.find((title) => title !== ""), pages: slides.length };
}
