import { execFileSync } from "node:child_process";
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
  /** What text recognition must find. */
  readonly ocrExpect?: readonly string[];
  readonly mayBeEmpty?: boolean;
  /** What it tries. */
  readonly security?: string;
}

/** Read with what they must hold, of the 127 that have expected text and no password. */
const EXPECTED_GOOD = 120;

/** Most memory that reading all of them may take, in the reader and here together, in bytes. */
const MOST_MEMORY = 1.5e9;

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

  let peak = 0;

  beforeAll(async () => {
    const looking = setInterval(() => {
      peak = Math.max(peak, memoryOfAll());
    }, 250);
    extractor = createExtractor(systemClock, { noProgressMs: 120_000, inAllMs: 900_000 });
    for (const { file } of index) {
      const bytes = readFileSync(join(folder, file));
      const outcome: Outcome = await extractor.extract({ tenant, name: file, bytes }, new AbortController().signal).then(
        (document) => ({ document }),
        (error: unknown) => (error instanceof AppError && error.code !== "INTERNAL" ? { refused: error } : { crash: error }),
      );
      outcomes.set(file, outcome);
    }
    clearInterval(looking);
  }, 3_600_000);
  afterAll(() => extractor.close());
  const outcomeOf = (file: string): Outcome => outcomes.get(file) ?? { crash: "not read" };

  if (!present) {
    test("are not here, so nothing was read", () => {
      process.stdout.write(`Real documents: ${folder} is not there. Set FOOTNOTE_SHARED to the folder that holds data/documents.\n`);
      expect(readdirSync(import.meta.dirname)).toContain("corpus.slow.ts");
    });
    return;
  }

  test("of 127 that can be read nearly all hold what they must, on the right page", () => {
    const readable = index.filter(({ expect: expected, password }) => expected.length > 0 && !password);
    const problems = readable.flatMap((each) => {
      const problem = problemOf(each, outcomeOf(each.file));
      return problem ? [`| ${each.file} | ${problem} |`] : [];
    });
    process.stdout.write(
      `Real documents: ${readable.length - problems.length} of ${readable.length} as expected. The others:\n${problems.join("\n")}\n`,
    );
    expect(readable.length).toBe(127);
    expect(readable.length - problems.length).toBeGreaterThanOrEqual(EXPECTED_GOOD);
  });

  test("reading them all takes less than 1.5 GB of memory, the program that asks for it included", () => {
    process.stdout.write(`Memory at its highest: ${Math.round(peak / 1e6)} MB\n`);
    expect(peak).toBeLessThan(MOST_MEMORY);
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

  test.each(index.filter((each) => each.mustFail || each.password).map(({ file }) => file))("%s is refused with a reason", (file) => {
    const outcome = outcomeOf(file);
    const reason = "refused" in outcome ? outcome.refused.message : "it was not refused";
    expect(reason).toMatch(
      index.find((each) => each.file === file)?.password || /password/.test(file)
        ? /password|Pages, Numbers/
        : /^The document|^This kind of file/,
    );
  });

  test.each(index.filter((each) => each.noTextLayer).map(({ file }) => file))(
    "%s is read by text recognition where it is installed, else refused with a reason",
    (file) => {
      const outcome = outcomeOf(file);
      const { ocrExpect = [] } = index.find((each) => each.file === file) ?? {};
      if ("document" in outcome) for (const text of ocrExpect) expect(textOf(outcome.document)).toContain(fold(text));
      expect("document" in outcome || ("refused" in outcome && /text recognition/.test(outcome.refused.message))).toBe(true);
    },
  );

  test("hostile ones end, and what their entities stand for is nowhere", () => {
    const hostile = index.filter(({ security }) => security !== undefined);
    expect(hostile.length).toBeGreaterThan(0);
    for (const { file } of hostile) {
      const outcome = outcomeOf(file);
      expect("crash" in outcome).toBe(false);
      if ("document" in outcome) expect(textOf(outcome.document)).not.toMatch(/root:|lollollol/);
    }
  });
});

/** Resident memory of this process and all below it, in bytes; 0 where the system does not tell. */
function memoryOfAll(): number {
  try {
    const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((row) => row.trim().split(/\s+/).map(Number) as [number, number, number]);
    const below = (pid: number): number =>
      rows.reduce((sum, [child, parent, size]) => sum + (parent === pid ? size * 1024 + below(child) : 0), 0);
    return process.memoryUsage().rss + below(process.pid);
  } catch {
    return 0;
  }
}
