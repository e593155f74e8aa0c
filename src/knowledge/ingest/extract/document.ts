import type { DocumentFormat } from "../../library.ts";

/** A document as text in reading order. */
export interface ExtractedDocument {
  readonly title: string;
  readonly format: DocumentFormat;
  /** Who wrote or sent it, as it says itself. */
  readonly author?: string;
  readonly blocks: readonly Block[];
  /** Number of pages or slides, for formats that have them. */
  readonly pages?: number;
  /** Sentences for whoever added the document, e.g. that some pages hold no text. */
  readonly notes: readonly string[];
}

/** A piece of a document that belongs together: a paragraph, a list item, a table, a code block. */
export interface Block {
  readonly text: string;
  /** 1-based position: the page, or the slide. */
  readonly page?: number;
  /** What the page is called where that is not "page" and its position: "slide 3", or "page iv" of a preface. */
  readonly pageName?: string;
  /** The headings above it, outermost first; a heading's own path ends with itself. */
  readonly headingPath: readonly string[];
  /** Tables are split between rows only, code between lines only, prose between sentences. */
  readonly kind: "heading" | "prose" | "list" | "table" | "code";
}

/** What an extractor needs: bytes and the file's name, and a way to say that it is still alive. */
export interface ExtractInput {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Called at every page or so; silence for too long ends the extraction. */
  onProgress(done: number, total: number): void;
  /**
   * Takes the picture of a page (1-based) that shows something but holds no text, as a gray PNG. Absent where nobody can recognise text. A
   * document with such pages may come without blocks.
   */
  onPicture?(page: number, png: Uint8Array): void;
}
