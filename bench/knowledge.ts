/**
 * Speed and recall of the search beside the raw SQL on the same rows, as JSON on standard output; a table goes to standard error. One large workspace,
 * one that may see a hundredth of it, and many small ones; vectors are synthetic (clusters in 384 dimensions).
 * Run: npm run bench:knowledge -- [--sizes 1000,100000] [--questions 50] [--databases embedded,server]; 1000000 is a size too.
 * On the embedded database, and on a server when FOOTNOTE_TEST_DATABASE_URL names one with a superuser.
 */
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import { openBenchDatabase } from "./knowledge/bench-database.ts";
import { measureSize } from "./knowledge/measure.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,100000" },
    questions: { type: "string", default: "50" },
    databases: { type: "string", default: "embedded,server" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const available = process.env.FOOTNOTE_TEST_DATABASE_URL ? (["embedded", "server"] as const) : (["embedded"] as const);
const kinds = available.filter((kind) => options.databases.split(",").includes(kind));

const results: Awaited<ReturnType<typeof measureSize>>[] = [];
say(
  "| database | passages | who | visible | recall@10 | semantic p50 / p95 | raw SQL p50 / p95 | words p50 / p95 | without row-level security p95 |",
);
say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const kind of kinds) {
  for (const size of options.sizes.split(",").map(Number)) {
    const database = await openBenchDatabase(kind);
    try {
      const result = await measureSize(database, { kind, size, questions: Number(options.questions), clock: systemClock });
      results.push(result);
      for (const { who, visible, recall, semantic, raw, words, wordsBare } of result.readers) {
        const ms = (of: { p50: number; p95: number }) => `${of.p50.toFixed(1)} / ${of.p95.toFixed(1)}`;
        say(`| ${[kind, size, who, visible, recall.toFixed(3), ms(semantic), ms(raw), ms(words), wordsBare.p95.toFixed(1)].join(" | ")} |`);
      }
    } finally {
      await database.close();
    }
  }
}
process.stdout.write(`${JSON.stringify({ results }, null, 1)}\n`);
