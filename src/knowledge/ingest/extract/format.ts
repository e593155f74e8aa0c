import { decodeText } from "./encoding.ts";

/** For messages about formats that are not read. */
export const SUPPORTED = "Supported are PDF, Word (DOCX), web pages (HTML), Markdown and plain text.";

const latin = (bytes: Uint8Array, from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** Readers accept rubbish before a PDF's header within the first kilobyte. */
export const isPdf = (bytes: Uint8Array): boolean => /%PDF-\d/.test(latin(bytes, 0, 1024));

export const isZip = (bytes: Uint8Array): boolean => ["PK\u0003\u0004", "PK\u0005\u0006"].includes(latin(bytes, 0, 4));

/** Whether a text begins like a web page, whatever the file is called. */
export function looksLikeHtml(bytes: Uint8Array): boolean {
  const head = decodeText(bytes.subarray(0, 2_048));
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,1000}?-->\s*){0,3}<(?:!doctype\s+html|html[\s>])/i.test(head);
}

/** A format that is known but not read: by its first bytes, or by its name where markup would be taken for text. */
export function foreignFormat(bytes: Uint8Array, extension: string): ForeignFormat | undefined {
  const head = latin(bytes, 0, 16);
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0")) {
    // Word, Excel and PowerPoint put an encrypted document of the new formats into a container of the old ones.
    if (Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le")))
      return { name: "an encrypted Office file", encrypted: true };
    return { name: extension === "msg" ? "an Outlook message" : "an Office file of the format before 2007: save it anew as DOCX or PDF" };
  }
  if (/^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF|II\*\0|MM\0\*|BM)/.test(head)) return { name: "a picture" };
  if (head.startsWith("{\\rtf")) return { name: "an RTF file: save it as DOCX or PDF" };
  const name = foreignExtensions[extension];
  return name === undefined ? undefined : { name };
}

interface ForeignFormat {
  /** A noun for people. */
  readonly name: string;
  readonly encrypted?: boolean;
}

const foreignExtensions: Readonly<Record<string, string>> = {
  xml: "an XML file",
  eml: "an e-mail",
  rtf: "an RTF file",
  csv: "a table (CSV)",
  tsv: "a table (TSV)",
  svg: "a drawing (SVG)",
  doc: "called .doc but no Word document",
  pptx: "called .pptx but damaged",
  xlsx: "called .xlsx but damaged",
};

/** Control characters that no text has; UTF-16 is recognised by its regular zeros. */
export function isBinary(bytes: Uint8Array): boolean {
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
