import { AppError } from "../../../core/errors.ts";
import type { ExtractedDocument, ExtractInput } from "./document.ts";
import { extractMarkdown } from "./markdown.ts";
import { withoutOwnTitle } from "./own-title.ts";
import { extractPdf } from "./pdf.ts";
import { extractPlainText } from "./plain-text.ts";

const SUPPORTED = "Supported are PDF, Markdown and plain text.";

/**
 * Reads a file by what it is, then by what it is called. Throws AppError DOCUMENT_UNREADABLE, DOCUMENT_EMPTY or FORMAT_UNSUPPORTED
 * with a sentence that says why and how to mend it.
 */
export async function extract(input: ExtractInput): Promise<ExtractedDocument> {
  return withoutOwnTitle(await extractWhole(input));
}

async function extractWhole(input: ExtractInput): Promise<ExtractedDocument> {
  if (input.bytes.length === 0) throw new AppError("DOCUMENT_EMPTY", "The file has no content (0 bytes).");
  const extension = /\.([A-Za-z0-9]+)$/.exec(input.name)?.[1]?.toLowerCase() ?? "";
  if (isPdf(input.bytes)) return await extractPdf(input);
  if (extension === "pdf") throw new AppError("DOCUMENT_UNREADABLE", "It is called .pdf but is no PDF. Save or export it anew.");
  const other = foreignFormat(input.bytes) ?? foreignExtensions[extension];
  if (other) throw new AppError("FORMAT_UNSUPPORTED", `It is ${other}. ${SUPPORTED}`);
  if (isBinary(input.bytes)) throw new AppError("FORMAT_UNSUPPORTED", `It is not a text file. ${SUPPORTED}`);
  return markdownExtensions.has(extension) ? await extractMarkdown(input) : await extractPlainText(input);
}

const markdownExtensions: ReadonlySet<string> = new Set(["md", "markdown", "mdown", "mkd", "mdx"]);

const latin = (bytes: Uint8Array, from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** Readers accept rubbish before a PDF's header within the first kilobyte. */
const isPdf = (bytes: Uint8Array): boolean => /%PDF-\d/.test(latin(bytes, 0, 1024));

function foreignFormat(bytes: Uint8Array): string | undefined {
  const head = latin(bytes, 0, 16);
  if (head.startsWith("PK\u0003\u0004") || head.startsWith("PK\u0005\u0006")) return "an archive or an Office file";
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0")) return "an old Office file";
  if (/^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF|II\*\0|MM\0\*|BM)/.test(head)) return "a picture";
  if (head.startsWith("{\\rtf")) return "an RTF file";
  return undefined;
}

/** Text formats whose markup would be taken for text. */
const foreignExtensions: Readonly<Record<string, string>> = {
  html: "a web page",
  htm: "a web page",
  xml: "an XML file",
  eml: "an e-mail",
  rtf: "an RTF file",
  csv: "a table (CSV)",
};

/** Control characters that no text has; UTF-16 is recognised by its regular zeros. */
function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 8192);
  let control = 0;
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros++;
    else if (byte < 32 && ![9, 10, 12, 13, 27].includes(byte)) control++;
  }
  const wide = (sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff) || zeros > sample.length * 0.15;
  return control > sample.length * 0.02 || (zeros > 0 && !wide);
}
