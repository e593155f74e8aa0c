/**
 * Speed and recall of the search beside the raw SQL on the same rows, as JSON on standard output; a table goes to standard error. One large workspace
 * with groups that may see 100 % to 0.1 % of it, and many small ones; vectors are synthetic (clusters in 384 dimensions).
 * Run: npm run bench:knowledge -- [--passages 1000,100000] [--questions 50] [--databases embedded,server] [--only vectors] [--keep NAME]
 * On the embedded database, and on a server when FOOTNOTE_TEST_DATABASE_URL names one with a superuser. --keep leaves what was filled for the next
 * run with the same name and number of passages; --only vectors leaves out the search by words, whose rows take most of the time to fill in.
 * Before that a PDF of --pages 40 is read in with the built-in model, beside its parser and the model alone; --only reading stops there.
 */
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import { localEmbedder } from "../src/knowledge/embedder/local.ts";
import { createExtractor } from "../src/knowledge/ingest/reader/extractor.ts";
import { openBenchDatabase } from "./knowledge/bench-database.ts";
import { measureIngestion } from "./knowledge/ingestion.ts";
import { measureSize, type Times } from "./knowledge/measure.ts";

const { values: options } = parseArgs({
  options: {
    passages: { type: "string", default: "1000,100000" },
    questions: { type: "string", default: "50" },
    databases: { type: "string", default: "embedded,server" },
    only: { type: "string" },
    pages: { type: "string", default: "40" },
    rounds: { type: "string", default: "3" },
    keep: { type: "string" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const available = process.env.FOOTNOTE_TEST_DATABASE_URL ? (["embedded", "server"] as const) : (["embedded"] as const);
const kinds = available.filter((kind) => options.databases.split(",").includes(kind));
const ms = (of: Times | undefined) => (of ? `${of.p50.toFixed(1)} / ${of.p95.toFixed(1)}` : "-");
const ratio = (of: Times | undefined, to: Times | undefined) =>
  of && to ? `${(of.p50 / to.p50).toFixed(2)} / ${(of.p95 / to.p95).toFixed(2)}` : "-";

const reading: object[] = [];
for (const kind of options.only === "vectors" ? [] : kinds) {
  const database = await openBenchDatabase(kind, undefined);
  const [embedder, extractor] = [localEmbedder(), createExtractor(systemClock)];
  const plan = { pages: Number(options.pages), rounds: Number(options.rounds), embedder, extractor, clock: systemClock };
  const result = { kind, ...(await measureIngestion(database, plan)) };
  reading.push(result);
  say(JSON.stringify(result));
  await Promise.all([embedder.close(), extractor.close(), database.close()]);
}

const results: Awaited<ReturnType<typeof measureSize>>[] = [];
const heads = ["database", "passages", "who", "visible", "plan", "recall@10", "semantic p50 / p95", "raw SQL", "ratio"];
say(`| ${[...heads, "words p50 / p95", "without row-level security", "ratio"].join(" | ")} |`);
say(`|${" --- |".repeat(heads.length + 3)}`);
for (const kind of options.only === "reading" ? [] : kinds) {
  for (const size of options.passages.split(",").map(Number)) {
    const database = await openBenchDatabase(kind, options.keep && `${options.keep}_${size}`);
    try {
      const plan = { kind, size, questions: Number(options.questions), words: options.only !== "vectors", clock: systemClock };
      const result = await measureSize(database, plan);
      results.push(result);
      for (const { who, visible, plan: chosen, recall, semantic, raw, words, wordsBare } of result.readers) {
        const figures = [ms(semantic), ms(raw), ratio(semantic, raw), ms(words), ms(wordsBare), ratio(words, wordsBare)];
        say(`| ${[kind, size, who, visible, chosen, recall.toFixed(3), ...figures].join(" | ")} |`);
      }
      say(`filled in ${Math.round(result.loadMs / 1_000)} s, indexed in ${Math.round(result.indexMs / 1_000)} s`);
    } finally {
      await database.close();
    }
  }
}
process.stdout.write(`${JSON.stringify({ reading, results }, null, 1)}\n`);
