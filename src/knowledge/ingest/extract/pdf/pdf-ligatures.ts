import type { PDFOperatorList } from "pdfjs-dist/types/src/display/api.js";

/** Lam with an alef, drawn as one glyph. */
const LAM_ALEF = /^\u0644[\u0622\u0623\u0625\u0627\u0671]$/;
const ARABIC = /\p{Script=Arabic}/u;

/** Puts right the order of letters in ligatures. Call it for every piece of the page's text, in order. */
export type LigatureMender = (text: string) => string;

/**
 * pdf.js turns a line of Arabic from the order of drawing into that of reading letter by letter, and so turns round the two letters of a
 * ligature, which is one glyph: the article before an alef becomes another word that no search finds. Here the glyphs are turned round instead.
 */
export function ligatureMender({ fnArray, argsArray }: PDFOperatorList, showText: number): LigatureMender {
  const glyphs = fnArray.flatMap((operator, index) => (operator === showText ? unicodes((argsArray[index] as unknown[] | null)?.[0]) : []));
  if (!glyphs.some((glyph) => LAM_ALEF.test(glyph))) return (text) => text;
  let at = 0;
  return (text) => {
    const letters = text.replace(/\s+/g, "");
    const own: string[] = [];
    let length = 0;
    while (at < glyphs.length && length < letters.length) {
      const glyph = glyphs[at++] ?? "";
      own.push(glyph);
      length += glyph.length;
    }
    if (!ARABIC.test(text) || !own.some((glyph) => LAM_ALEF.test(glyph))) return text;
    const turned = own.toReversed();
    // Only where every letter was turned round: numbers and Latin words within a line go the other way.
    const isTurned = turned.map((glyph) => [...glyph].toReversed().join("")).join("") === letters;
    return isTurned ? respaced(text, turned.join("")) : text;
  };
}

function unicodes(run: unknown): string[] {
  if (!Array.isArray(run)) return [];
  return (run as unknown[]).flatMap((glyph) => {
    const text = typeof glyph === "object" && glyph !== null && "unicode" in glyph ? String(glyph.unicode).replace(/\s+/g, "") : "";
    return text === "" ? [] : [text];
  });
}

/** The same letters in another order, with the blanks where they were. */
function respaced(text: string, letters: string): string {
  let at = 0;
  return text.replace(/\S/g, () => letters[at++] ?? "");
}
