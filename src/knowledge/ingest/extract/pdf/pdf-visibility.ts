import type { PDFOperatorList } from "pdfjs-dist/types/src/display/api.js";

type Matrix = readonly [number, number, number, number, number, number];
type Operators = Readonly<
  Record<
    | "save"
    | "restore"
    | "transform"
    | "setTextRenderingMode"
    | "setFillRGBColor"
    | "showText"
    | "paintImageXObject"
    | "paintInlineImageXObject"
    | "paintImageMaskXObject"
    | "constructPath"
    | "shadingFill"
    | "paintFormXObjectBegin"
    | "paintFormXObjectEnd",
    number
  >
>;

/** Rendering modes 3 (neither filled nor stroked) and 7 (clip only) leave no mark on the page. */
const UNPAINTED_MODES: ReadonlySet<unknown> = new Set([3, 7]);

/**
 * A picture at least this large, in square points, may be a scan with its recognised text laid over it invisibly. Half of a
 * letter page is 242,000; receipts are smaller.
 */
const SCAN_AREA = 40_000;

/** Tells, piece by piece in the page's own order, which text leaves a mark on the page. */
export interface Ink {
  /** Whether a picture large enough to be a scan is on the page. */
  readonly scan: boolean;
  /** Whether the next piece of the page's text can be seen. Call it for every piece, in order. */
  take(text: string): boolean;
}

/**
 * Follows the drawing instructions of a page. Not visible: text drawn in an unpainted mode, unless it lies on a scan; and white text
 * where nothing was painted before that could be its background.
 */
export function readInk({ fnArray, argsArray }: PDFOperatorList, ops: Operators): Ink {
  const runs: { length: number; mode: "ink" | "unpainted" | "white" }[] = [];
  let state = { mode: 0 as unknown, white: false, matrix: [1, 0, 0, 1, 0, 0] as Matrix };
  const stack: (typeof state)[] = [];
  let scan = false;
  let background = false;
  fnArray.forEach((operator, index) => {
    const args = argsArray[index] as unknown[] | null;
    switch (operator) {
      case ops.save:
      case ops.paintFormXObjectBegin:
        stack.push({ ...state });
        if (operator === ops.paintFormXObjectBegin && Array.isArray(args?.[0]))
          state.matrix = multiply(state.matrix, args[0] as unknown as Matrix);
        break;
      case ops.restore:
      case ops.paintFormXObjectEnd:
        state = stack.pop() ?? state;
        break;
      case ops.transform:
        if (args) state.matrix = multiply(state.matrix, args as unknown as Matrix);
        break;
      case ops.setTextRenderingMode:
        state.mode = args?.[0];
        break;
      case ops.setFillRGBColor:
        state.white = /^#f[c-f]f[c-f]f[c-f]$/i.test(String(args?.[0]));
        break;
      case ops.paintImageXObject:
      case ops.paintInlineImageXObject:
      case ops.paintImageMaskXObject:
        background = true;
        scan ||= area(state.matrix) >= SCAN_AREA;
        break;
      case ops.constructPath:
      case ops.shadingFill:
        background ||= !state.white;
        break;
      case ops.showText: {
        const length = glyphText(args?.[0]);
        const mode = UNPAINTED_MODES.has(state.mode) ? "unpainted" : state.white && !background ? "white" : "ink";
        const last = runs.at(-1);
        if (last?.mode === mode) last.length += length;
        else runs.push({ length, mode });
        break;
      }
    }
  });
  if (!runs.some((run) => run.mode === "white" || (run.mode === "unpainted" && !scan))) return { scan, take: () => true };
  return {
    scan,
    take: reader(runs.map((run) => ({ length: run.length, seen: run.mode === "ink" || (run.mode === "unpainted" && scan) }))),
  };
}

/** Both sides list the same glyphs in the same order, so counting characters that are not blank keeps them in step. */
function reader(runs: readonly { length: number; seen: boolean }[]): Ink["take"] {
  let at = 0;
  let used = 0;
  return (text) => {
    const wanted = countInk(text);
    let seen = 0;
    for (let left = wanted; left > 0; ) {
      const run = runs[at];
      if (!run) return true;
      const step = Math.min(left, run.length - used);
      if (run.seen) seen += step;
      left -= step;
      used += step;
      if (used >= run.length) {
        at++;
        used = 0;
      }
    }
    return wanted === 0 || seen * 2 >= wanted;
  };
}

const countInk = (text: string): number => text.replace(/\s+/g, "").length;

function glyphText(glyphs: unknown): number {
  if (!Array.isArray(glyphs)) return 0;
  let length = 0;
  for (const glyph of glyphs as unknown[]) {
    if (typeof glyph === "object" && glyph !== null && "unicode" in glyph) length += countInk(String(glyph.unicode));
  }
  return length;
}

const area = ([a, b, c, d]: Matrix): number => Math.abs(a * d - b * c);

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];
