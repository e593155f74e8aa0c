import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";

type PdfJs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

let engine: Promise<PdfJs> | undefined;

/** pdf.js wants a matrix class when it loads, but uses it only to draw, which nobody does here. */
const load = (): Promise<PdfJs> => {
  const scope = globalThis as { DOMMatrix?: unknown; Path2D?: unknown; ImageData?: unknown };
  scope.DOMMatrix ??= class {};
  scope.Path2D ??= class {};
  scope.ImageData ??= class {};
  engine ??= import("pdfjs-dist/legacy/build/pdf.mjs");
  return engine;
};

/** Opens a PDF without scripts, fonts of the system, network or drawing. Throws what pdf.js throws. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const pdfjs = await load();
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  return await pdfjs.getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    // Pictures are never drawn; their place on the page is all that is needed.
    isOffscreenCanvasSupported: false,
    cMapUrl: join(root, "cmaps") + sep,
    cMapPacked: true,
    standardFontDataUrl: join(root, "standard_fonts") + sep,
    wasmUrl: join(root, "wasm") + sep,
  }).promise;
}

/** pdf.js's numbers for drawing instructions. */
export const pdfOperators = async (): Promise<PdfJs["OPS"]> => (await load()).OPS;
