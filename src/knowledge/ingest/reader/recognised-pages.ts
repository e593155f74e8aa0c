import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { Block, ExtractedDocument } from "../extract/document.ts";
import type { PagePicture } from "./reader-process.ts";
import type { TextRecogniser } from "./text-recognition.ts";

/** Recognising one file's pages may take this long, in milliseconds; the rest is left out and said. */
const IN_ALL_MS = 15 * 60_000;

/**
 * A document with the text of the pages that are pictures, each on its page, and a note that says how it was read. Throws AppError
 * DOCUMENT_EMPTY when that leaves no text at all, or the signal's reason.
 */
export async function withRecognisedText(
  document: ExtractedDocument,
  pictures: readonly PagePicture[],
  recogniser: TextRecogniser,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ExtractedDocument> {
  const began = clock.monotonic();
  const recognised: Block[] = [];
  const done = new Set<number>();
  const left = new Set<number>();
  for (const { page, png } of pictures) {
    if (clock.monotonic() - began > IN_ALL_MS) {
      left.add(page);
      continue;
    }
    const texts = await recogniser.recognise(png, signal);
    recognised.push(...texts.map((text): Block => ({ text, page, headingPath: [], kind: "prose" })));
    done.add(page);
  }
  const blocks = merged(document.blocks, recognised);
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It is a scan, and text recognition (OCR) found no text on its pages.");
  const pages = document.pages ?? done.size;
  const notes = [
    ...document.notes,
    `${done.size} of ${pages} pages are pictures and were read by text recognition (OCR): it makes mistakes.`,
    ...(left.size > 0 ? [`${left.size} more pages are pictures and were left out: split the file.`] : []),
  ];
  return { ...document, blocks, notes };
}

/** Both in the order of pages; a page has blocks of one kind only. */
function merged(read: readonly Block[], recognised: readonly Block[]): readonly Block[] {
  const all = [...read, ...recognised].map((block, index) => ({ block, index }));
  return all.sort((a, b) => (a.block.page ?? 0) - (b.block.page ?? 0) || a.index - b.index).map(({ block }) => block);
}
