import { AppError } from "../../../core/errors.ts";
import { checkSize } from "../files.ts";
import { openZip, type UnpackingBudget, unpackingBudget } from "./containers/zip.ts";
import { kindOfZip } from "./containers/zip-format.ts";
import type { ExtractedDocument, ExtractInput } from "./document.ts";
import { foreignFormat, isBinary, isPdf, isRtf, isZip, looksLikeEmail, looksLikeHtml, looksLikeXml, SUPPORTED } from "./format.ts";
import { beyondLimits, DEEPEST_INNER_FILE, type Inside, MOST_INNER_FILES } from "./inside.ts";
import { withoutOwnTitle } from "./own-title.ts";

/**
 * Reads a file by what it is, then by what it is called. Throws AppError DOCUMENT_UNREADABLE, DOCUMENT_EMPTY or FORMAT_UNSUPPORTED
 * with a sentence that says why and how to mend it. Each parser is loaded when the first file of its format comes.
 */
export async function extract(input: ExtractInput): Promise<ExtractedDocument> {
  try {
    return findable(await extractWhole(input, { depth: 0, files: { left: MOST_INNER_FILES }, unpacking: unpackingBudget() }));
  } catch (error) {
    // Parsers call themselves for every level of a document, so a hostile one ends their stack.
    if (error instanceof RangeError) throw unreadable("It is nested too deeply. Save or export it anew.");
    throw error;
  }
}

/** Without repeated titles, and with one kind of hyphen: whoever searches does not know which one was set. */
function findable(document: ExtractedDocument): ExtractedDocument {
  const plain = (text: string): string => text.replace(/[\u2010\u2011]/g, "-");
  const blocks = document.blocks.map((block) => ({ ...block, text: plain(block.text), headingPath: block.headingPath.map(plain) }));
  return withoutOwnTitle({ ...document, title: plain(document.title), blocks });
}

/** Where in a file of files we are, and what may still be read of it. */
interface Nesting {
  readonly depth: number;
  readonly files: { left: number };
  readonly unpacking: UnpackingBudget;
}

async function extractWhole(input: ExtractInput, nesting: Nesting): Promise<ExtractedDocument> {
  const { bytes } = input;
  if (bytes.length === 0) throw new AppError("DOCUMENT_EMPTY", "The file has no content (0 bytes).");
  const extension = /\.([A-Za-z0-9]+)$/.exec(input.name)?.[1]?.toLowerCase() ?? "";
  if (isPdf(bytes)) return await (await import("./pdf/pdf.ts")).extractPdf(input);
  if (extension === "pdf") throw unreadable("It is called .pdf but is no PDF. Save or export it anew.");
  if (isZip(bytes)) return await extractZip(input, nesting);
  const { isCompoundFile } = await import("./containers/cfb.ts");
  if (isCompoundFile(bytes)) return await (await import("./containers/compound.ts")).extractCompound(input, inside(input, nesting));
  if (isRtf(bytes)) return await (await import("./rtf/rtf.ts")).extractRtf(input);
  if (zipped.has(extension)) throw unreadable(`It is called .${extension} but is no file of that format. Save or export it anew.`);
  const isHtml = looksLikeHtml(bytes) || htmlExtensions.has(extension);
  const other = isHtml ? undefined : foreignFormat(bytes, extension);
  if (other) throw new AppError("FORMAT_UNSUPPORTED", `It is ${other}. ${SUPPORTED}`);
  if (isBinary(bytes)) throw new AppError("FORMAT_UNSUPPORTED", `It is not a text file. ${SUPPORTED}`);
  if (extension === "eml" || (!textExtensions.has(extension) && looksLikeEmail(bytes)))
    return await (await import("./mail/email.ts")).extractEmail(input, inside(input, nesting));
  if (isHtml) return await (await import("./html/html.ts")).extractHtml(input);
  if (csvExtensions.has(extension)) return await (await import("./csv.ts")).extractCsv(input);
  if (xmlExtensions.has(extension) || looksLikeXml(bytes)) return await (await import("./containers/xml-text.ts")).extractXml(input);
  if (markdownExtensions.has(extension)) return await (await import("./markdown.ts")).extractMarkdown(input);
  return await (await import("./plain-text.ts")).extractPlainText(input);
}

async function extractZip(input: ExtractInput, nesting: Nesting): Promise<ExtractedDocument> {
  const archive = openZip(input.bytes, nesting.unpacking);
  const kind = await kindOfZip(archive);
  switch (kind) {
    case "docx":
      return await (await import("./office/docx.ts")).extractDocx(input, archive);
    case "pptx":
      return await (await import("./office/pptx.ts")).extractPptx(input, archive);
    case "xlsx":
      return await (await import("./office/xlsx.ts")).extractXlsx(input, archive);
    case "odf":
      return await (await import("./open-document/odf.ts")).extractOdf(input, archive);
    case "epub":
      return await (await import("./epub.ts")).extractEpub(input, archive);
    case "archive":
      // An archive in an archive is how bombs are built, and seldom anything else.
      if (nesting.depth > 0) throw unreadable("It is an archive inside another file: unpack it and add its files.");
      return await (await import("./archive.ts")).extractArchive(input, archive, inside(input, nesting));
    default:
      throw new AppError("FORMAT_UNSUPPORTED", `It is ${kind.name}. ${SUPPORTED}`);
  }
}

const inside = ({ onProgress }: ExtractInput, { depth, files, unpacking }: Nesting): Inside => ({
  async read(name, bytes) {
    if (depth >= DEEPEST_INNER_FILE) throw unreadable("It lies too deep inside other files.");
    if (--files.left < 0) {
      const error = unreadable(`It holds more than ${MOST_INNER_FILES} files: split it.`);
      beyondLimits.add(error);
      throw error;
    }
    checkSize(bytes.length);
    return await extractWhole({ name, bytes, onProgress }, { depth: depth + 1, files, unpacking });
  },
});

const unreadable = (detail: string): AppError => new AppError("DOCUMENT_UNREADABLE", detail);

const zipped: ReadonlySet<string> = new Set(["docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "zip"]);
const htmlExtensions: ReadonlySet<string> = new Set(["html", "htm", "xhtml"]);
const csvExtensions: ReadonlySet<string> = new Set(["csv", "tsv", "tab"]);
const xmlExtensions: ReadonlySet<string> = new Set(["xml", "rss", "atom"]);
const markdownExtensions: ReadonlySet<string> = new Set(["md", "markdown", "mdown", "mkd", "mdx"]);
const textExtensions: ReadonlySet<string> = new Set([
  ...htmlExtensions,
  ...csvExtensions,
  ...xmlExtensions,
  ...markdownExtensions,
  "txt",
  "log",
  "json",
  "yaml",
  "yml",
]);
