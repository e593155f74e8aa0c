import { afterEach, describe, expect, test } from "@jest/globals";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { systemClock } from "../../../src/core/clock.ts";
import { tenantId } from "../../../src/core/ids.ts";
import { grayPng } from "../../../src/knowledge/ingest/extract/pdf/png.ts";
import { createExtractor, type Extractor } from "../../../src/knowledge/ingest/reader/extractor.ts";
import { paragraphs } from "../../../src/knowledge/ingest/reader/text-recognition.ts";

const { signal } = new AbortController();
const tenant = tenantId("00000000-0000-8000-8000-00000000000a");

/** A PDF whose pages are pictures, save for those with a text. */
async function scan(...texts: (string | undefined)[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const picture = await document.embedPng(grayPng(new Uint8Array(600 * 800).fill(255), 600, 800));
  for (const text of texts) {
    const page = document.addPage([612, 792]);
    if (text === undefined) page.drawImage(picture, { x: 0, y: 0, width: 612, height: 792 });
    else page.drawText(text, { x: 72, y: 700, font });
  }
  return await document.save();
}

describe("scanned pages", () => {
  let extractor: Extractor;
  afterEach(() => extractor.close());
  const read = async (bytes: Uint8Array, recognised: readonly string[] | undefined) => {
    const seen: Uint8Array[] = [];
    const recognise = async (png: Uint8Array) => {
      seen.push(png);
      return recognised ?? [];
    };
    extractor = createExtractor(systemClock, { noProgressMs: 1e9, recogniser: async () => (recognised ? { recognise } : undefined) });
    const outcome = await extractor.extract({ tenant, name: "scan.pdf", bytes }, signal).then(
      (document) => ({ document }),
      (error: Error) => ({ message: error.message }),
    );
    return { ...outcome, seen };
  };

  test("H5-ING-09: a scan is not ready with nothing in it: its uploader is told, and what to do", async () => {
    const { message } = (await read(await scan(undefined, undefined), undefined)) as { message: string };
    expect(message).toMatch(/holds no text.*scan.*text recognition \(OCR\).*tesseract/);
  });

  test("where a recogniser is installed their text is read on its page, between the pages with text, and a note says so", async () => {
    const { document, seen } = (await read(await scan("Page one.", undefined, "Page three."), ["Fee: 40"])) as Exclude<
      Awaited<ReturnType<typeof read>>,
      { message: string }
    >;
    expect(document.blocks.map(({ page, text }) => [page, text])).toEqual([
      [1, "Page one."],
      [2, "Fee: 40"],
      [3, "Page three."],
    ]);
    expect(document.notes).toEqual([expect.stringMatching(/^1 of 3 pages are pictures and were read by text recognition/)]);
    expect(
      Buffer.from(seen[0] ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  });

  test("H5-ING-09: where it sees nothing the file is refused, too, and one with text on a single page is read with a note", async () => {
    const nothing = (await read(await scan(undefined), [])) as { message: string };
    expect(nothing.message).toContain("found no text");
    await extractor.close();
    const pages = await scan("Text.", ...Array.from({ length: 9 }, () => undefined));
    const { document } = (await read(pages, undefined)) as Exclude<Awaited<ReturnType<typeof read>>, { message: string }>;
    expect(document.notes).toEqual(["9 of 10 pages hold no text."]);
  });
});

test("words that are not certain are left out, as are paragraphs that are patterns; cut words are whole again", () => {
  const word = (block: number, line: number, certainty: number, text: string) =>
    [5, 1, block, 1, line, 1, 0, 0, 9, 9, certainty, text].join("\t");
  const table = [
    "level\tpage_num",
    word(1, 1, 95, "Eighteen"),
    word(1, 1, 12, "~~"),
    word(1, 1, 90, "wee-"),
    word(1, 2, 91, "ks."),
    word(2, 1, 40, "|||"),
    word(2, 1, 42, "xq"),
  ].join("\n");
  expect(paragraphs(table)).toEqual(["Eighteen weeks."]);
});
