import { crc32, deflateRawSync } from "node:zlib";

/** A part of an archive. What it states about its size may be a lie. */
export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly statedSize?: number;
  /** Raw compressed data in place of the content's. */
  readonly packed?: Uint8Array;
}

/** A ZIP archive of deflated parts. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, statedSize, packed } of parts) {
    const bytes = Buffer.from(content as string);
    const data = packed ? Buffer.from(packed) : deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const size = statedSize ?? bytes.length;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, nameBytes, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), common, tail, nameBytes]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length & 0xffff, 4);
  end.writeUInt16LE(parts.length & 0xffff, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\u0005\u0006"), end]);
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const DRAWING =
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";
const DOCUMENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

export interface DocxParts {
  /** Markup of the body, in the prefixes w, r, wp, a and pic. */
  readonly body: string;
  /** Before the root element, for a document type. */
  readonly prolog?: string;
  readonly styles?: string;
  /** Relationship elements of the document. */
  readonly relationships?: string;
  readonly footnotes?: string;
  readonly more?: readonly ZipPart[];
  /** What the document part states as its size. */
  readonly statedSize?: number;
}

/** A Word document made of markup. */
export function makeDocx({ body, prolog = "", styles, relationships = "", footnotes, more = [], statedSize }: DocxParts): Buffer {
  const content = `<?xml version="1.0"?>${prolog}<w:document ${W} ${R} ${DRAWING}><w:body>${body}</w:body></w:document>`;
  const footnoteLink = `<Relationship Id="notes" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/>`;
  const styleLink = `<Relationship Id="styles" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>`;
  return makeZip([
    {
      name: "[Content_Types].xml",
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${DOCUMENT}"/></Types>`,
    },
    {
      name: "_rels/.rels",
      content: `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    { name: "word/document.xml", content, ...(statedSize === undefined ? {} : { statedSize }) },
    {
      name: "word/_rels/document.xml.rels",
      content: `<Relationships xmlns="${RELATIONSHIPS}">${footnotes ? footnoteLink : ""}${styles ? styleLink : ""}${relationships}</Relationships>`,
    },
    ...(styles ? [{ name: "word/styles.xml", content: `<w:styles ${W}>${styles}</w:styles>` }] : []),
    ...(footnotes ? [{ name: "word/footnotes.xml", content: `<w:footnotes ${W}>${footnotes}</w:footnotes>` }] : []),
    ...more,
  ]);
}

/** A paragraph, in a style if one is given. */
export const paragraph = (text: string, style?: string, runProperties = ""): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}<w:r>${runProperties ? `<w:rPr>${runProperties}</w:rPr>` : ""}<w:t>${text}</w:t></w:r></w:p>`;

/** Word's own names for its first headings and the title. */
export const headingStyles = ["Title", "heading 1", "heading 2"]
  .map((name, index) => `<w:style w:type="paragraph" w:styleId="S${index}"><w:name w:val="${name}"/></w:style>`)
  .join("");

/** Text that packs about as well as prose: the same hundred kilobytes over and over, farther apart than an archive looks back. */
export const prose = (length: number) =>
  Buffer.alloc(length, Array.from({ length: 12_800 }, (_, n) => ((n * 2_654_435_761) % 1e8).toString().padEnd(8)).join(""));
