import type { PDFOperatorList, PDFPageProxy } from "pdfjs-dist/types/src/display/api.js";
import { pdfOperators } from "./pdf-engine.ts";
import { grayPng } from "./png.ts";

/** Pictures of one page that are recognised; a scanned page is one, seldom some strips. */
const MOST_PICTURES = 8;
/** Points of a picture: an A3 page at 600 dots an inch has 70 million. */
const MOST_POINTS = 80_000_000;
/** Smaller ones show no page of text. */
const LEAST_SIDE = 200;
/** How long a picture may take to be decoded, in milliseconds: a damaged one may never be. */
const DECODING_MS = 5_000;

/** The large pictures of a page as gray PNG files, in the order in which they are painted: what text recognition can be run on. */
export async function pagePictures(page: PDFPageProxy, { fnArray, argsArray }: PDFOperatorList): Promise<readonly Uint8Array[]> {
  const operators = await pdfOperators();
  const found: Uint8Array[] = [];
  for (const [index, operator] of fnArray.entries()) {
    if (found.length >= MOST_PICTURES) break;
    const [first] = (argsArray[index] as unknown[] | null) ?? [];
    const isPicture = [operators.paintImageXObject, operators.paintInlineImageXObject, operators.paintImageMaskXObject].includes(operator);
    const picture = isPicture ? await decoded(page, first) : undefined;
    const png = picture && toPng(picture);
    if (png) found.push(png);
  }
  return found;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 1: one bit a point, 2: three bytes, 3: four bytes. Absent for a mask of one bit a point. */
  readonly kind?: number;
  readonly data?: Uint8Array | Uint8ClampedArray;
}

/** Named pictures are decoded apart, and are there when they are there. */
async function decoded(page: PDFPageProxy, reference: unknown): Promise<Picture | undefined> {
  const name = typeof reference === "string" ? reference : (reference as { data?: unknown } | undefined)?.data;
  if (typeof name !== "string") return reference as Picture | undefined;
  const objects = (name.startsWith("g_") ? page.commonObjs : page.objs) as { get(name: string, done: (picture: unknown) => void): unknown };
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), DECODING_MS);
    objects.get(name, (picture) => {
      clearTimeout(timer);
      resolve((picture ?? undefined) as Picture | undefined);
    });
  });
}

function toPng({ width, height, kind, data }: Picture): Uint8Array | undefined {
  if (!data || width < LEAST_SIDE || height < LEAST_SIDE || width * height > MOST_POINTS) return undefined;
  const gray = new Uint8Array(width * height);
  const bytes = kind === 2 ? 3 : kind === 3 ? 4 : 0;
  const stride = (width + 7) >> 3;
  if (data.length < (bytes === 0 ? stride * height : gray.length * bytes)) return undefined;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (bytes === 0) gray[at] = (data[y * stride + (x >> 3)] ?? 0) & (0x80 >> (x & 7)) ? 255 : 0;
      else gray[at] = ((data[at * bytes] ?? 0) * 77 + (data[at * bytes + 1] ?? 0) * 150 + (data[at * bytes + 2] ?? 0) * 29) >> 8;
    }
  }
  // A mask paints where its bits are not set.
  return grayPng(gray, width, height);
}
