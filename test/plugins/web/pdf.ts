import { PDFDocument } from "pdf-lib";

/** A PDF with one line of text on each page. */
export async function pdfWithPages(lines: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (const line of lines) pdf.addPage().drawText(line, { x: 50, y: 700, size: 14 });
  return pdf.save();
}
