import { AppError } from "../../../core/errors.ts";
import type { ExtractedDocument, ExtractInput } from "./document.ts";
import { foreignFormat, isBinary, isPdf, isZip, looksLikeHtml, SUPPORTED } from "./format.ts";
import { withoutOwnTitle } from "./own-title.ts";
import { openZip } from "./zip.ts";
import { formatOfZip } from "./zip-format.ts";

/**
 * Reads a file by what it is, then by what it is called. Throws AppError DOCUMENT_UNREADABLE, DOCUMENT_EMPTY or FORMAT_UNSUPPORTED
 * with a sentence that says why and how to mend it. Each parser is loaded when the first file of its format comes.
 */
export async function extract(input: ExtractInput): Promise<ExtractedDocument> {
  try {
    return withoutOwnTitle(await extractWhole(input));
  } catch (error) {
    // Parsers call themselves for every level of a document, so a hostile one ends their stack.
    if (error instanceof RangeError) throw unreadable("It is nested too deeply. Save or export it anew.");
    throw error;
  }
}

async function extractWhole(input: ExtractInput): Promise<ExtractedDocument> {
  const { bytes } = input;
  if (bytes.length === 0) throw new AppError("DOCUMENT_EMPTY", "The file has no content (0 bytes).");
  const extension = /\.([A-Za-z0-9]+)$/.exec(input.name)?.[1]?.toLowerCase() ?? "";
  if (isPdf(bytes)) return await (await import("./pdf.ts")).extractPdf(input);
  if (extension === "pdf") throw unreadable("It is called .pdf but is no PDF. Save or export it anew.");
  if (isZip(bytes)) return await extractZip(input);
  const other = foreignFormat(bytes, extension);
  if (other?.encrypted) throw unreadable("It is protected by a password. Save it without one and add it again.");
  if (extension === "docx") throw unreadable("It is called .docx but is no Word document of that format. Save it anew as DOCX.");
  const isHtml = looksLikeHtml(bytes) || htmlExtensions.has(extension);
  if (other && !isHtml) throw new AppError("FORMAT_UNSUPPORTED", `It is ${other.name}. ${SUPPORTED}`);
  if (isBinary(bytes)) throw new AppError("FORMAT_UNSUPPORTED", `It is not a text file. ${SUPPORTED}`);
  if (isHtml) return await (await import("./html.ts")).extractHtml(input);
  if (markdownExtensions.has(extension)) return await (await import("./markdown.ts")).extractMarkdown(input);
  return await (await import("./plain-text.ts")).extractPlainText(input);
}

async function extractZip(input: ExtractInput): Promise<ExtractedDocument> {
  const archive = openZip(input.bytes);
  const other = await formatOfZip(archive);
  if (other) throw new AppError("FORMAT_UNSUPPORTED", `It is ${other}. ${SUPPORTED}`);
  return await (await import("./docx.ts")).extractDocx(input, archive);
}

const unreadable = (detail: string): AppError => new AppError("DOCUMENT_UNREADABLE", detail);

const htmlExtensions: ReadonlySet<string> = new Set(["html", "htm", "xhtml"]);
const markdownExtensions: ReadonlySet<string> = new Set(["md", "markdown", "mdown", "mkd", "mdx"]);
