import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "pdf-lib";

/** A4 in points, with margins that leave about 75 characters a line. */
const page = { width: 595, height: 842, left: 82, right: 82, top: 92, bottom: 84 };
const ink = rgb(0.13, 0.14, 0.17);
const grey = rgb(0.42, 0.44, 0.48);
/** Size, line height and space above of each kind of paragraph, in points. */
const styles = {
  title: { size: 24, line: 30, above: 0 },
  heading: { size: 14, line: 20, above: 24 },
  text: { size: 11, line: 17, above: 6 },
} as const;

type Kind = keyof typeof styles;
interface Paragraph {
  readonly kind: Kind;
  readonly text: string;
}

/** A document as its source text gives it: one list of paragraphs for each page. */
export interface SeedDocument {
  readonly title: string;
  readonly pages: readonly (readonly Paragraph[])[];
}

/** Reads a source: `# ` is the title, `## ` a heading, `---` a new page, any other line a paragraph. */
export function parseSeedSource(source: string): SeedDocument {
  const pages = source.split(/^---$/m).map((part) => part.split("\n").filter(Boolean).map(paragraph));
  const title = pages[0]?.find((found) => found.kind === "title")?.text;
  if (!title) throw new Error("A seed source must begin with a title.");
  return { title, pages };
}

function paragraph(line: string): Paragraph {
  if (line.startsWith("# ")) return { kind: "title", text: line.slice(2) };
  if (line.startsWith("## ")) return { kind: "heading", text: line.slice(3) };
  return { kind: "text", text: line };
}

/** Sets the pages of a seed document as a PDF. The same source gives the same bytes, so that the outputs can be committed. */
export async function renderSeedPdf(document: SeedDocument, accent: readonly [number, number, number]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(document.title);
  pdf.setCreationDate(new Date("2026-01-01T00:00:00Z"));
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  for (const [index, paragraphs] of document.pages.entries()) {
    const sheet = pdf.addPage([page.width, page.height]);
    const colour = rgb(...accent);
    sheet.drawRectangle({ x: page.left, y: page.height - 64, width: 36, height: 4, color: colour });
    setParagraphs(sheet, paragraphs, { regular, bold, colour });
    const foot = { y: 46, size: 9, font: regular, color: grey };
    const number = `${index + 1} / ${document.pages.length}`;
    sheet.drawText(number, { x: page.width - page.right - regular.widthOfTextAtSize(number, foot.size), ...foot });
  }
  return pdf.save({ useObjectStreams: false });
}

interface Look {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
  readonly colour: ReturnType<typeof rgb>;
}

function setParagraphs(sheet: PDFPage, paragraphs: readonly Paragraph[], look: Look): void {
  let y = page.height - page.top;
  for (const [index, { kind, text }] of paragraphs.entries()) {
    const style = styles[kind];
    const font = kind === "title" || kind === "heading" ? look.bold : look.regular;
    const color = kind === "heading" ? look.colour : ink;
    if (index > 0) y -= style.above;
    for (const line of wrap(text, font, style.size)) {
      if (y < page.bottom) throw new Error(`Too much text on one page, at: ${line}`);
      sheet.drawText(line, { x: page.left, y: y - style.size, size: style.size, font, color });
      y -= style.line;
    }
  }
}

/** Breaks a paragraph into lines that fit between the margins. */
function wrap(text: string, font: PDFFont, size: number): string[] {
  const width = page.width - page.left - page.right;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && font.widthOfTextAtSize(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
