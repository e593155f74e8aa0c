import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "../../../src");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"));

/** Modules that exist when the code runs: types do not. */
function loaded(code: string): string[] {
  const stated = code.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"]*?from\s+)?"([^"]+)"/gm);
  const dynamic = code.matchAll(/(?<!type \w+ = |typeof )import\("([^"]+)"\)/g);
  return [...stated, ...dynamic].map(([, name = ""]) => name);
}

const isParser = (name: string): boolean =>
  /\/extract\/|^(?:pdfjs-dist|mammoth|linkedom|postal-mime|csv-parse|@mozilla\/readability)\b/.test(name);

test("the main process never loads a parser: only the reader's process imports them", () => {
  const outside = sources.filter((path) => !path.startsWith("knowledge/ingest/extract/") && path !== "knowledge/ingest/reader/worker.ts");
  const offenders = outside.filter((path) => loaded(readFileSync(join(root, path), "utf8")).some(isParser));
  expect(offenders).toEqual([]);
  expect(loaded(readFileSync(join(root, "knowledge/ingest/reader/worker.ts"), "utf8")).some(isParser)).toBe(true);
});
