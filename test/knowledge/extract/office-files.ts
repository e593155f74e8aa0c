import { makeZip, type ZipPart } from "./make-docx.ts";

const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (targets: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `<Relationships xmlns="${RELATIONS}">${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;
const types = (main: string): string =>
  `<Types><Override PartName="/main" ContentType="application/vnd.openxmlformats-officedocument.${main}.main+xml"/></Types>`;

export interface SlideParts {
  /** Markup of the shape tree, in the prefixes p, a and r. */
  readonly shapes: string;
  readonly notes?: string;
  readonly comments?: string;
  readonly chart?: string;
}

/** A presentation of these slides, in this order; its parts are numbered the other way round. */
export function makePptx(slides: readonly SlideParts[]): Buffer {
  const number = (index: number): number => slides.length - index;
  const parts = slides.flatMap(({ shapes, notes, comments, chart }, index): ZipPart[] => {
    const n = number(index);
    const links: Record<string, readonly [string, string]> = {
      ...(notes === undefined ? {} : { n: ["notesSlide", `../notesSlides/n${n}.xml`] as const }),
      ...(comments === undefined ? {} : { k: ["comments", `../comments/c${n}.xml`] as const }),
      ...(chart === undefined ? {} : { chart1: ["chart", `../charts/c${n}.xml`] as const }),
    };
    return [
      { name: `ppt/slides/s${n}.xml`, content: `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>` },
      { name: `ppt/slides/_rels/s${n}.xml.rels`, content: relations(links) },
      ...(notes === undefined
        ? []
        : [{ name: `ppt/notesSlides/n${n}.xml`, content: `<p:notes><p:cSld><p:spTree>${notes}</p:spTree></p:cSld></p:notes>` }]),
      ...(comments === undefined ? [] : [{ name: `ppt/comments/c${n}.xml`, content: `<p:cmLst>${comments}</p:cmLst>` }]),
      ...(chart === undefined ? [] : [{ name: `ppt/charts/c${n}.xml`, content: chart }]),
    ];
  });
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join("");
  return makeZip([
    { name: "[Content_Types].xml", content: types("presentationml.presentation") },
    { name: "_rels/.rels", content: relations({ d: ["officeDocument", "ppt/presentation.xml"] }) },
    {
      name: "ppt/presentation.xml",
      content: `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    },
    {
      name: "ppt/_rels/presentation.xml.rels",
      content: relations(Object.fromEntries(slides.map((_, index) => [`r${index}`, ["slide", `slides/s${number(index)}.xml`] as const]))),
    },
    { name: "ppt/commentAuthors.xml", content: `<p:cmAuthorLst><p:cmAuthor id="0" name="Jane"/></p:cmAuthorLst>` },
    ...parts,
  ]);
}

/** A shape with paragraphs; `placeholder` is its kind on the slide, `properties` go into its name. */
export const shape = (text: string, placeholder?: string, { properties = "", place = "" } = {}): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" ${properties}/><p:nvPr>${placeholder ? `<p:ph type="${placeholder}"/>` : ""}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${text
    .split("\n")
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join("")}</p:txBody></p:sp>`;

export interface SheetParts {
  readonly name: string;
  /** Markup of `sheetData` and what follows it. */
  readonly rows: string;
  readonly before?: string;
  readonly after?: string;
  readonly state?: string;
}

export function makeXlsx(sheets: readonly SheetParts[], { strings = "", formats = "", xfs = "<xf numFmtId='0'/>" } = {}): Buffer {
  return makeZip([
    { name: "[Content_Types].xml", content: types("spreadsheetml.sheet") },
    { name: "_rels/.rels", content: relations({ d: ["officeDocument", "xl/workbook.xml"] }) },
    {
      name: "xl/workbook.xml",
      content: `<workbook><sheets>${sheets.map(({ name, state }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}" ${state ? `state="${state}"` : ""}/>`).join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations(Object.fromEntries(sheets.map((_, index) => [`r${index}`, ["worksheet", `worksheets/s${index}.xml`] as const]))),
    },
    { name: "xl/sharedStrings.xml", content: `<sst>${strings}</sst>` },
    { name: "xl/styles.xml", content: `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${xfs}</cellXfs></styleSheet>` },
    ...sheets.map(({ rows, before = "", after = "" }, index) => ({
      name: `xl/worksheets/s${index}.xml`,
      content: `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
  ]);
}

/** A row of a sheet from texts, in the columns from A on; an empty text is no cell. */
export const sheetRow = (number: number, ...texts: string[]): string =>
  `<row r="${number}">${texts.map((text, at) => (text === "" ? "" : `<c r="${"ABCDEFGH"[at]}${number}" t="inlineStr"><is><t>${text}</t></is></c>`)).join("")}</row>`;

/** An OpenDocument file: its kind ("text", "spreadsheet", "presentation"), the markup below that element, and automatic styles. */
export const makeOdf = (kind: string, body: string, styles = "", manifest = ""): Buffer =>
  makeZip([
    { name: "mimetype", content: `application/vnd.oasis.opendocument.${kind}` },
    { name: "META-INF/manifest.xml", content: `<manifest:manifest>${manifest}</manifest:manifest>` },
    {
      name: "content.xml",
      content: `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
  ]);

/** A book of chapters, given as the body of each page. */
export const makeEpub = (
  chapters: readonly string[],
  { metadata = "<dc:title>Field notes</dc:title>", more = [] as ZipPart[] } = {},
): Buffer =>
  makeZip([
    { name: "mimetype", content: "application/epub+zip" },
    { name: "META-INF/container.xml", content: `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>` },
    {
      name: "OEBPS/book.opf",
      content: `<package><metadata>${metadata}</metadata><manifest><item id="nav" href="nav.xhtml" properties="nav"/>${chapters.map((_, n) => `<item id="c${n}" href="text/c%20${n}.xhtml"/>`).join("")}</manifest><spine><itemref idref="nav"/>${chapters.map((_, n) => `<itemref idref="c${n}"/>`).join("")}</spine></package>`,
    },
    { name: "OEBPS/nav.xhtml", content: "<html><body><ol><li>Contents</li></ol></body></html>" },
    ...chapters.map((body, n) => ({
      name: `OEBPS/text/c ${n}.xhtml`,
      content: `<?xml version="1.0"?><html><head><title/></head><body>${body}</body></html>`,
    })),
    ...more,
  ]);
