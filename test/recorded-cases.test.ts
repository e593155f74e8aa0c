import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "..");
const cases = join(process.env.FOOTNOTE_SHARED ?? join(root, "../shared"), "cases/open.json");

/** Areas whose every case is a test of this repository, named after it. */
const areas: ReadonlySet<string> = new Set([
  "slack-text",
  "slack-stream",
  "slack-events",
  "threads-context",
  "llm-stream-toolcalls",
  "citations",
  "ops-reliability",
  "ingestion",
  "search-retrieval",
  "permissions-tenancy",
]);

/** Ids that the name of a test, of a group or of a table's row begins with. */
function named(): ReadonlySet<string> {
  const sources = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:test|slow)\.ts$/.test(path))
    .map((path) => readFileSync(join(root, "test", path), "utf8"));
  return new Set(sources.flatMap((source) => [...source.matchAll(/["`](H\d-[A-Z]+-\d+): /g)].map((match) => match[1] ?? "")));
}

describe("recorded cases", () => {
  if (!existsSync(cases)) {
    test("are not at hand (set FOOTNOTE_SHARED)", () => expect(existsSync(cases)).toBe(false));
    return;
  }
  const all = (JSON.parse(readFileSync(cases, "utf8")) as { id: string; area: string }[]).filter(({ area }) => areas.has(area));
  const tested = named();

  test("every one is a test", () => {
    expect(all.length).toBeGreaterThan(0);
    expect(all.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
  });
});
