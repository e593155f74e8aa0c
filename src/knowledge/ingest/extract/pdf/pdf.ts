import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import { AppError, messageOf } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import { authorOf } from "../author.ts";
import type { ExtractedDocument, ExtractInput } from "../document.ts";
import { titleFromName } from "../title.ts";
import { openPdf } from "./pdf-engine.ts";
import { layOut, type PageText } from "./pdf-layout.ts";
import { readPage } from "./pdf-page.ts";
import { withoutRunningText } from "./pdf-running-text.ts";

/** More pages than any handbook has; a file that claims more is refused before it is read. */
const MAX_PAGES = 5_000;

/** Fewer characters than this a page, on nothing but scanned pages, are a stamp and not the document's text. */
const STAMP_LENGTH = 20;

/** Pages that are recognised of one file: more takes longer than anybody waits. */
const MOST_PICTURED = 200;

const SCAN =
  "No text was found: it may be a scan. Run text recognition (OCR) on it and add it again, or install tesseract where Footnote runs.";
const NOTHING_SEEN = "No text was found, and its pages hold no picture on which text recognition could be run.";

/** A PDF's visible text, page by page. A page that cannot be read is noted; the others are still taken. */
export async function extractPdf({ bytes, name, onProgress, onPicture }: ExtractInput): Promise<ExtractedDocument> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MAX_PAGES) throw new AppError("DOCUMENT_UNREADABLE", `It has more than ${MAX_PAGES} pages: split it.`);
    const pages: PageText[] = [];
    const damaged: number[] = [];
    const pictured = new Set<number>();
    for (let number = 1; number <= pdf.numPages; number++) {
      const wantsPictures = onPicture !== undefined && pictured.size < MOST_PICTURED;
      const { pictures = [], ...page }: PageText = await readPage(pdf, number, wantsPictures).catch(() => {
        damaged.push(number);
        return { number, lines: [] };
      });
      pages.push(page);
      for (const png of pictures) onPicture?.(number, png);
      if (pictures.length > 0) pictured.add(number);
      onProgress(number, pdf.numPages);
    }
    const labels = await pdf.getPageLabels().catch(() => null);
    const blocks = layOut(withoutRunningText(pages))
      .map((block) => ({
        ...block,
        ...pageName(labels, block.page),
        text: visibleText(block.text).trim(),
        headingPath: block.headingPath.map(visibleText),
      }))
      .filter((block) => block.text !== "");
    const empty = pages.filter((page) => page.lines.length === 0 && !damaged.includes(page.number) && !pictured.has(page.number)).length;
    const letters = blocks.reduce((sum, block) => sum + block.text.length, 0);
    const stampOnly = pages.every((page) => page.scan) && letters < pages.length * STAMP_LENGTH;
    if (pictured.size === 0 && (blocks.length === 0 || stampOnly)) {
      if (damaged.length > 0) throw new AppError("DOCUMENT_UNREADABLE", "Its pages are damaged. Save or export it anew.");
      throw new AppError("DOCUMENT_EMPTY", onPicture ? NOTHING_SEEN : SCAN);
    }
    const notes = [
      ...(damaged.length > 0 ? [`${damaged.length} of ${pdf.numPages} pages could not be read.`] : []),
      ...(empty > 0 ? [`${empty} of ${pdf.numPages} pages hold no text.`] : []),
      ...(looksGarbled(blocks.map((block) => block.text).join(" ")) ? [GARBLED] : []),
    ];
    const { title, author } = await propertiesOf(pdf);
    return { title: title ?? titleFromName(name), format: "pdf", ...author, blocks, pages: pdf.numPages, notes };
  } finally {
    await pdf.destroy();
  }
}

/** Pages may be called otherwise than by their position: "iv" in a preface, "1" after it. */
function pageName(labels: readonly string[] | null, page: number | undefined): { pageName?: string } {
  const label = page === undefined ? "" : visibleText(labels?.[page - 1] ?? "").trim();
  return label === "" || label.length > LONGEST_LABEL || label === String(page) ? {} : { pageName: `page ${label}` };
}

const LONGEST_LABEL = 20;

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await openPdf(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new AppError("DOCUMENT_UNREADABLE", "It is protected by a password. Save it without one and add it again.");
    }
    throw new AppError("DOCUMENT_UNREADABLE", "It is not a complete PDF. Save or export it anew.", { cause: messageOf(error) });
  }
}

/** What the file's properties say: the title, unless it is what programs write there by themselves, and who wrote it. */
async function propertiesOf(
  pdf: PDFDocumentProxy,
): Promise<{ readonly title: string | undefined; readonly author: { readonly author?: string } }> {
  const metadata = await pdf.getMetadata().catch(() => undefined);
  const info = metadata?.info as { Title?: unknown; Author?: unknown } | undefined;
  const title = typeof info?.Title === "string" ? visibleText(info.Title).trim() : "";
  const automatic = /^(untitled|microsoft (word|powerpoint)|unbenannt|document\d*$|.*\.(docx?|pptx?|xlsx?|dvi|tex|indd|pdf|ps|qxd)$)/i;
  return {
    title: title.length >= 4 && title.length <= 200 && !automatic.test(title) ? title : undefined,
    author: typeof info?.Author === "string" ? authorOf(info.Author) : {},
  };
}

const GARBLED = "Its text seems garbled: the file does not say which letters its font shows.";

/** Words that mix alphabets: a sign of a font without a table of its letters. */
function looksGarbled(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]{3,}/gu) ?? [];
  const mixed = words.filter((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1).length;
  return words.length > 0 && mixed > words.length * 0.3;
}

const alphabets = ["Latin", "Greek", "Cyrillic", "Armenian", "Arabic", "Kannada"].map((name) => new RegExp(`\\p{Script=${name}}`, "u"));
