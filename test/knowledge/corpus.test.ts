import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../src/core/errors.ts";
import { extract } from "../../src/knowledge/ingest/extract/extract.ts";

/** Real documents with what must be found in them. They are not part of the project: the suite runs where they are. */
const folder = resolve(process.env.FOOTNOTE_SHARED ?? join(import.meta.dirname, "../../../shared"), "data/documents");
const why = !process.env.FOOTNOTE_SLOW
  ? "set FOOTNOTE_SLOW=1"
  : !existsSync(join(folder, "index.json"))
    ? "the documents are not here"
    : undefined;

interface Expectation {
  readonly file: string;
  readonly kind: string;
  readonly expect: readonly { readonly text: string; readonly page?: number }[];
  readonly password?: string;
  readonly mustFail?: boolean;
  readonly noTextLayer?: boolean;
  readonly mayBeEmpty?: boolean;
}

/**
 * Expected to be found upstream, not read here on purpose: a line in an invisible rendering mode with no scan below it is text that
 * nobody who looks at the page can see.
 */
const notRead: ReadonlySet<string> = new Set(["docling--invisible_text_layer.pdf"]);

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\u00AD]/g, "")
    .replaceAll("\0", "");

async function problemOf(document: Expectation): Promise<string | undefined> {
  const bytes = readFileSync(join(folder, document.file));
  const result = await extract({ bytes, name: document.file, onProgress: () => {} }).catch((error: unknown) => error);
  if (result instanceof AppError) {
    return document.mustFail || document.noTextLayer || document.password || document.mayBeEmpty ? undefined : `refused: ${result.message}`;
  }
  if (result instanceof Error || typeof result !== "object" || result === null || !("blocks" in result))
    return `crashed: ${String(result)}`;
  if (document.mustFail || document.noTextLayer || document.password) return "should have been refused";
  const { blocks } = result as Awaited<ReturnType<typeof extract>>;
  const textOn = (page: number | undefined) =>
    fold(
      blocks
        .filter((block) => page === undefined || block.page === page)
        .map((block) => block.text)
        .join("\n"),
    );
  const missing = document.expect.filter(({ text, page }) => !textOn(page).includes(fold(text)));
  return missing.length > 0 ? `not found: ${missing.map(({ text }) => text).join(" | ")}` : undefined;
}

describe("real documents", () => {
  test("every PDF, Markdown and text file gives what it holds or a clear reason", async () => {
    if (why) {
      process.stdout.write(`The corpus of real documents was not read: ${why}.\n`);
      expect(readdirSync(import.meta.dirname)).toContain("corpus.test.ts");
      return;
    }
    const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Expectation[] | Record<string, Expectation[]>;
    const all = Array.isArray(index) ? index : (Object.values(index).find(Array.isArray) ?? []);
    const documents = all.filter(({ file }) => /\.(pdf|md|txt|bin)$/.test(file));
    const problems: string[] = [];
    for (const document of documents) {
      const problem = await problemOf(document);
      if (problem && !notRead.has(document.file)) problems.push(`${document.file}: ${problem}`);
    }
    process.stdout.write(
      `Real documents: ${documents.length - notRead.size - problems.length} of ${documents.length} as expected, ${notRead.size} not read on purpose.\n`,
    );
    expect(documents.length).toBeGreaterThan(50);
    expect(problems).toEqual([]);
  }, 300_000);
});
