import { PDFDocument, StandardFonts } from "pdf-lib";

/** A word for each number: lines that differ in numbers alone are taken for running heads. */
export const word = (n: number): string =>
  [...`${n}`].map((digit) => ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu"][Number(digit)]).join("");

/** A PDF with a heading, a sentence and about a passage of words a page. */
export async function largePdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let n = 1; n <= pages; n++) {
    const page = document.addPage([400, 200]);
    page.drawText(`Rule ${word(n)}`, { x: 20, y: 160, size: 18, font });
    const others = (from: number) => Array.from({ length: 12 }, (_, index) => word(10_000 + n * 97 + from * 12 + index)).join(" ");
    const lines = [`Whoever has it keeps the lamp ${word(n)}lamp lit.`, ...Array.from({ length: 7 }, (_, index) => others(index))];
    lines.forEach((line, index) => void page.drawText(line, { x: 20, y: 140 - index * 14, size: 6, font }));
  }
  return document.save();
}
