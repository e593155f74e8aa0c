import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { tenantId } from "../../src/core/ids.ts";
import type { ExtractedDocument } from "../../src/knowledge/ingest/extract/document.ts";
import { createExtractor, type Extractor } from "../../src/knowledge/ingest/reader/extractor.ts";

/** Real documents with what must be found in them. They are not part of the project: the suite runs where they are. */
const folder = resolve(process.env.FOOTNOTE_SHARED ?? join(import.meta.dirname, "../../../shared"), "data/documents");
const tenant = tenantId("00000000-0000-8000-8000-000000000001");

interface Expectation {
  readonly file: string;
  readonly kind: string;
  readonly expect: readonly { readonly text: string; readonly page?: number }[];
  readonly mustNotInclude?: readonly string[];
  readonly password?: string;
  readonly mustFail?: boolean;
  readonly noTextLayer?: boolean;
  readonly mayBeEmpty?: boolean;
}

/** Read with what they must hold, of the 83 of our formats that have expected text and no password. */
const EXPECTED_GOOD = 77;

const READ = new Set(["pdf", "docx", "html", "md", "txt"]);

type Outcome = { readonly document: ExtractedDocument } | { readonly refused: AppError } | { readonly crash: unknown };

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\u00AD]/g, "")
    .replaceAll("\0", "");

/** What a search finds: title, headings and text, on a page or in all; tables without their rules, text without marks of footnotes. */
function textOf({ title, blocks }: ExtractedDocument, page?: number): string {
  const texts = blocks
    .filter((block) => page === undefined || block.page === page)
    .flatMap((block) => [...block.headingPath, block.text, block.text.replaceAll(block.kind === "table" ? /[|-]+/g : /\[\d+\]/g, "")]);
  return fold([title, ...texts].join("\n"));
}

function problemOf(expectation: Expectation, outcome: Outcome): string | undefined {
  if ("crash" in outcome) return `crashed: ${String(outcome.crash)}`;
  if ("refused" in outcome) return `refused: ${outcome.refused.message}`;
  const missing = expectation.expect.filter(({ text, page }) => !textOf(outcome.document, page).includes(fold(text)));
  const tooMuch = (expectation.mustNotInclude ?? []).filter((text) => textOf(outcome.document).includes(fold(text)));
  const problems = [...missing.map(({ text }) => `not found: ${text}`), ...tooMuch.map((text) => `should not be there: ${text}`)];
  return problems.length > 0 ? problems.join("; ") : undefined;
}

describe("real documents", () => {
  const present = existsSync(join(folder, "index.json"));
  const index = present ? (JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Expectation[]) : [];
  const outcomes = new Map<string, Outcome>();
  let extractor: Extractor;

  beforeAll(async () => {
    extractor = createExtractor(systemClock);
    for (const { file } of index) {
      const bytes = readFileSync(join(folder, file));
      const outcome: Outcome = await extractor.extract({ tenant, name: file, bytes }, new AbortController().signal).then(
        (document) => ({ document }),
        (error: unknown) => (error instanceof AppError && error.code !== "INTERNAL" ? { refused: error } : { crash: error }),
      );
      outcomes.set(file, outcome);
    }
  }, 900_000);
  afterAll(() => extractor.close());
  const outcomeOf = (file: string): Outcome => outcomes.get(file) ?? { crash: "not read" };

  if (!present) {
    test("are not here, so nothing was read", () => {
      process.stdout.write(`Real documents: ${folder} is not there. Set FOOTNOTE_SHARED to the folder that holds data/documents.\n`);
      expect(readdirSync(import.meta.dirname)).toContain("corpus.slow.ts");
    });
    return;
  }

  test("of 83 that can be read nearly all hold what they must, on the right page", () => {
    const readable = index.filter(({ kind, expect: expected, password }) => READ.has(kind) && expected.length > 0 && !password);
    const problems = readable.flatMap((each) => {
      const problem = problemOf(each, outcomeOf(each.file));
      return problem ? [`| ${each.file} | ${problem} |`] : [];
    });
    process.stdout.write(
      `Real documents: ${readable.length - problems.length} of ${readable.length} as expected. The others:\n${problems.join("\n")}\n`,
    );
    expect(readable.length).toBe(83);
    expect(readable.length - problems.length).toBeGreaterThanOrEqual(EXPECTED_GOOD);
  });

  test("all are read or refused with a reason; none makes the process fail", () => {
    const bad = index.filter(({ file }) => {
      const outcome = outcomeOf(file);
      return "crash" in outcome || ("refused" in outcome && !/\. .{10,}\.$/.test(outcome.refused.message));
    });
    expect(index.length).toBe(156);
    expect(bad.map(({ file }) => file)).toEqual([]);
    const gaveUp = index.flatMap(({ file }) => {
      const outcome = outcomeOf(file);
      return "refused" in outcome && outcome.refused.code === "READER_GAVE_UP" ? [`${file}: ${outcome.refused.message}`] : [];
    });
    expect(gaveUp).toEqual([]);
  });

  test.each(index.filter((each) => each.mustFail || each.noTextLayer || each.password).map(({ file }) => file))(
    "%s is refused with a reason",
    (file) => {
      const outcome = outcomeOf(file);
      const reason = "refused" in outcome ? outcome.refused.message : "it was not refused";
      const { password, noTextLayer } = index.find((each) => each.file === file) as Expectation;
      expect(reason).toMatch(password ? /password/ : noTextLayer ? /text recognition/ : /^The document|^This kind of file/);
    },
  );

  test.each(index.filter(({ kind }) => !READ.has(kind)).map(({ file, kind }) => [file, kind] as const))(
    "%s is of a kind that is not read, and is told so",
    (file) => {
      const outcome = outcomeOf(file);
      const text = "document" in outcome ? outcome.document.format : "refused" in outcome ? outcome.refused.message : "";
      // Text by any other name (JSON) is still text.
      expect(text).toMatch(/^text$|^This kind of file is not supported\. It is .+\. Supported are PDF|protected by a password/);
    },
  );
});
