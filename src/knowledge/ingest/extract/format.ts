import { decodeText } from "./encoding.ts";

/** For messages about formats that are not read. */
export const SUPPORTED =
  "Supported are PDF, Word, PowerPoint, Excel, OpenDocument, RTF, web pages (HTML), e-mails (EML, MSG), EPUB, CSV, XML, Markdown, plain text, and archives (ZIP) of them.";

const latin = (bytes: Uint8Array, from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** Readers accept rubbish before a PDF's header within the first kilobyte. */
export const isPdf = (bytes: Uint8Array): boolean => /%PDF-\d/.test(latin(bytes, 0, 1024));

export const isZip = (bytes: Uint8Array): boolean => ["PK\u0003\u0004", "PK\u0005\u0006"].includes(latin(bytes, 0, 4));

export const isRtf = (bytes: Uint8Array): boolean => latin(bytes, 0, 16).trimStart().startsWith("{\\rtf");

/** Whether a text begins like the head of an e-mail, whatever the file is called: several lines of fields that only e-mails have together. */
export function looksLikeEmail(bytes: Uint8Array): boolean {
  const lines = decodeText(bytes.subarray(0, 4_096)).split(/\r?\n/);
  const end = lines.indexOf("");
  const fields = (end < 0 ? lines : lines.slice(0, end)).flatMap(
    (line) => /^([A-Za-z][\w-]{1,40}):\s/.exec(line)?.[1]?.toLowerCase() ?? [],
  );
  return ["from", "mime-version", "message-id", "received", "return-path"].filter((field) => fields.includes(field)).length >= 2;
}

export const looksLikeXml = (bytes: Uint8Array): boolean => /^\s*<\?xml\s/.test(decodeText(bytes.subarray(0, 512)));

/** Whether a text begins like a web page, whatever the file is called. */
export function looksLikeHtml(bytes: Uint8Array): boolean {
  const head = decodeText(bytes.subarray(0, 2_048));
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,1000}?-->\s*){0,3}<(?:!doctype\s+html|html[\s>])/i.test(head);
}

/** A format that is known but not read, as a noun for people: by its first bytes, or by its name. */
export function foreignFormat(bytes: Uint8Array, extension: string): string | undefined {
  const head = latin(bytes, 0, 16);
  if (/^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF|II\*\0|MM\0\*|BM)/.test(head)) return "a picture";
  if (["7z\u00bc\u00af", "Rar!", "\u001f\u008b"].some((start) => head.startsWith(start)))
    return "a packed archive (7z, RAR, gzip): unpack it and add its files";
  return foreignExtensions[extension];
}

const foreignExtensions: Readonly<Record<string, string>> = {
  svg: "a drawing (SVG)",
  doc: "called .doc but no Word document",
  xls: "called .xls but no workbook",
  ppt: "called .ppt but no presentation",
  msg: "called .msg but no Outlook message",
  rtf: "called .rtf but no rich text",
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
