import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import { attribute, child, descendants, elements, textOf, type XmlElement } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { tableMarkdown } from "../table-text.ts";
import { titleFromName } from "../title.ts";
import { chartText } from "./chart.ts";
import { mainPart, propertyAuthor, propertyTitle, type Relations, readTree, relationsOf } from "./ooxml.ts";
import { paragraphsOf, type Shape, shapesOf } from "./pptx-shapes.ts";

/** More slides than any deck has. */
const MOST_SLIDES = 1_000;

/** A presentation (PPTX), slide by slide: title, text, tables, charts, then the speaker's notes and comments. */
export async function extractPptx({ name, onProgress }: ExtractInput, archive: ZipArchive): Promise<ExtractedDocument> {
  const main = await mainPart(archive, "ppt/presentation.xml");
  const presentation = await readTree(archive, main);
  const relations = await relationsOf(archive, main);
  const slides = elements(child(presentation, "sldIdLst"), "sldId").flatMap(
    (each) => relations.get(each.attributes.get("r:id") ?? attribute(each, "id") ?? "") ?? [],
  );
  if (slides.length > MOST_SLIDES) throw new AppError("DOCUMENT_UNREADABLE", `It has more than ${MOST_SLIDES} slides: split it.`);
  const size = child(presentation, "sldSz");
  const page = { width: numberOf(size, "cx"), height: numberOf(size, "cy") };
  const authors = await commentAuthors(archive, relations);
  const blocks: Block[] = [];
  let firstTitle: string | undefined;
  for (const [index, { part }] of slides.entries()) {
    const slide = await readSlide(archive, part, page, authors);
    firstTitle ??= slide.title;
    const headingPath = slide.title === undefined ? [] : [slide.title];
    const add = (kind: Block["kind"], text: string): void => {
      const shown = visibleText(text).trim();
      if (shown !== "") blocks.push({ kind, text: shown, page: index + 1, pageName: `slide ${index + 1}`, headingPath });
    };
    if (slide.title !== undefined) add("heading", slide.title);
    for (const { kind, text } of slide.parts) add(kind, text);
    onProgress(index + 1, slides.length);
  }
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "Its slides hold no text: they may be pictures.");
  const title = (await propertyTitle(archive)) ?? firstTitle ?? titleFromName(name);
  return { title, format: "pptx", ...(await propertyAuthor(archive)), blocks, pages: slides.length, notes: [] };
}

interface Slide {
  readonly title: string | undefined;
  readonly parts: readonly Pick<Block, "kind" | "text">[];
}

async function readSlide(
  archive: ZipArchive,
  part: string,
  page: { width: number; height: number },
  authors: ReadonlyMap<string, string>,
): Promise<Slide> {
  const relations = await relationsOf(archive, part);
  const shapes = shapesOf(child(await readTree(archive, part), "cSld", "spTree"), page);
  const heading = shapes.find((shape) => shape.isTitle && shape.paragraphs.length > 0);
  const title =
    heading &&
    visibleText(heading.paragraphs.map(({ text }) => text).join(" "))
      .replace(/\s+/g, " ")
      .trim();
  const parts: Pick<Block, "kind" | "text">[] = [];
  for (const shape of shapes) if (shape !== heading) parts.push(...(await partsOf(shape, archive, relations)));
  for (const { type, part: target } of relations.values()) {
    if (type === "notesSlide") parts.push(...(await notesOf(archive, target)));
    else if (type === "comments") parts.push(...(await commentsOf(archive, target, authors)));
  }
  return { title: title || undefined, parts };
}

async function partsOf(shape: Shape, archive: ZipArchive, relations: Relations): Promise<Pick<Block, "kind" | "text">[]> {
  const table = shape.rows && tableMarkdown(shape.rows);
  if (table) return [{ kind: "table", text: table }];
  const target = shape.chart === undefined ? undefined : relations.get(shape.chart)?.part;
  const chart = target === undefined ? undefined : chartText(await readTree(archive, target));
  const texts = shape.diagram === undefined ? [] : await diagramTexts(archive, relations.get(shape.diagram)?.part);
  return [
    ...(chart?.title ? [{ kind: "prose" as const, text: chart.title }] : []),
    ...(chart?.table ? [{ kind: "table" as const, text: chart.table }] : []),
    ...texts.map((text) => ({ kind: "list" as const, text: `- ${text}` })),
    ...shape.paragraphs.map(({ text, level }) =>
      level === undefined ? { kind: "prose" as const, text } : { kind: "list" as const, text: `${"  ".repeat(level)}- ${text}` },
    ),
  ];
}

/** The words of a drawn diagram (SmartArt). */
async function diagramTexts(archive: ZipArchive, part: string | undefined): Promise<string[]> {
  const tree = part === undefined ? undefined : await readTree(archive, part);
  return [...descendants(tree, "t")]
    .flatMap((each) => (each.children.some((node) => typeof node !== "string") ? paragraphsOf(each) : []))
    .map(({ text }) => text);
}

/** What the speaker wrote below a slide. */
async function notesOf(archive: ZipArchive, part: string): Promise<Pick<Block, "kind" | "text">[]> {
  const shapes = shapesOf(child(await readTree(archive, part), "cSld", "spTree"), undefined);
  const lines = shapes.filter((shape) => shape.placeholder === "body").flatMap((shape) => shape.paragraphs.map(({ text }) => text));
  return lines.length === 0 ? [] : [{ kind: "prose", text: `Notes: ${lines.join("\n")}` }];
}

async function commentAuthors(archive: ZipArchive, relations: Relations): Promise<ReadonlyMap<string, string>> {
  const lists = [...relations.values()].filter(({ type }) => type === "commentAuthors" || type === "authors").map(({ part }) => part);
  const found = new Map<string, string>();
  for (const part of lists.length > 0 ? lists : ["ppt/commentAuthors.xml"]) {
    for (const author of elements(await readTree(archive, part))) found.set(attribute(author, "id") ?? "", attribute(author, "name") ?? "");
  }
  return found;
}

async function commentsOf(
  archive: ZipArchive,
  part: string,
  authors: ReadonlyMap<string, string>,
): Promise<Pick<Block, "kind" | "text">[]> {
  const comments = [...descendants(await readTree(archive, part), "cm")];
  return comments.flatMap((comment) => {
    const text = textOf(child(comment, "text") ?? child(comment, "txBody")).trim();
    const author = authors.get(attribute(comment, "authorId") ?? "");
    return text === "" ? [] : [{ kind: "prose" as const, text: `Comment${author ? ` by ${author}` : ""}: ${text}` }];
  });
}

const numberOf = (element: XmlElement | undefined, name: string): number => Number(element?.attributes.get(name) ?? Number.NaN);
