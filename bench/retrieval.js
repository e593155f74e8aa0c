/**
 * Retrieval quality on a judged set: nDCG@10 and recall@10 of each side and of their fusion at several weights, as JSON.
 * Usage: npm run -s build && node bench/retrieval.js <folder with corpus, queries, qrels> [language suffix] [most documents]
 * A corpus line is {id, title?, text}, a query line {id, text}, a qrels line "query-id<TAB>corpus-id<TAB>score".
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../dist/src/core/clock.js";
import { newId, tenantId } from "../dist/src/core/ids.js";
import { silentLogger } from "../dist/src/core/logger.js";
import { localEmbedder } from "../dist/src/knowledge/embedder/local.js";
import { terms } from "../dist/src/knowledge/full-text/terms.js";
import { searchByWords } from "../dist/src/knowledge/retrieve/full-text.js";
import { fuse } from "../dist/src/knowledge/retrieve/fuse.js";
import { searchByMeaning } from "../dist/src/knowledge/retrieve/semantic.js";
import { Database } from "../dist/src/store/database.js";
import { DocumentRepository } from "../dist/src/store/repositories/documents.js";
import { PassageRepository } from "../dist/src/store/repositories/passages.js";

const [folder, suffix = "", most = "Infinity"] = process.argv.slice(2);
const suffixed = (name) => join(folder, suffix ? `${name}.${suffix}.jsonl` : `${name}.jsonl`);
const readLines = (path) => readFileSync(path, "utf8").split("\n").filter(Boolean);
const corpus = readLines(suffixed("corpus"))
  .map((line) => JSON.parse(line))
  .slice(0, Number(most));
const queries = readLines(suffixed("queries")).map((line) => JSON.parse(line));
const judged = new Map();
for (const line of readLines(join(folder, "qrels.tsv")).slice(1)) {
  const [query, document, score] = line.split("\t");
  judged.set(query, (judged.get(query) ?? new Map()).set(document, Number(score)));
}

/** Embedding a large set takes minutes on one core: vectors are kept between runs. */
async function embedAll(embedder, texts, kind) {
  const key = createHash("sha256").update(embedder.id).update(JSON.stringify(texts)).digest("hex").slice(0, 16);
  const cache = join(tmpdir(), `footnote-bench-${key}.bin`);
  if (!existsSync(cache)) {
    const vectors = await embedder.embed(texts, kind, new AbortController().signal);
    writeFileSync(cache, Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer))));
  }
  const all = new Float32Array(new Uint8Array(readFileSync(cache)).buffer);
  return texts.map((_, index) => all.subarray(index * embedder.dimensions, (index + 1) * embedder.dimensions));
}

function measure(run) {
  let ndcg = 0;
  let recall = 0;
  let count = 0;
  for (const [query, relevant] of judged) {
    const grades = [...relevant.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
    if (grades.length === 0 || !run.has(query)) continue;
    count++;
    const gains = run
      .get(query)
      .slice(0, 10)
      .map((document) => relevant.get(document) ?? 0);
    const sum = (list) => list.reduce((total, gain, index) => total + gain / Math.log2(index + 2), 0);
    ndcg += sum(gains) / sum(grades.slice(0, 10));
    recall += gains.filter((gain) => gain > 0).length / grades.length;
  }
  return { "nDCG@10": Number((ndcg / count).toFixed(4)), "recall@10": Number((recall / count).toFixed(4)) };
}

const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
const database = await Database.open({ home, clock: systemClock, log: silentLogger });
const embedder = localEmbedder();
try {
  const tenant = tenantId(newId());
  await database.system((manager) => manager.query("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, 'T1', 'bench')", [tenant]));
  const documents = new DocumentRepository(database.forTenant(tenant), tenant);
  const passages = new PassageRepository(database.forTenant(tenant), tenant);
  const texts = corpus.map(({ title, text }) => (title ? `${title}\n${text}` : text));
  const vectors = await embedAll(embedder, texts, "passage");
  const stored = systemClock.monotonic();
  for (let from = 0; from < texts.length; from += 500) {
    await documents.replace({
      title: `part ${from}`,
      sourceUri: `part-${from}`,
      contentHash: "",
      recipe: "",
      format: "text",
      notes: [],
      ingestedAt: systemClock.now(),
      grants: ["everyone"],
      passages: texts.slice(from, from + 500).map((text, index) => ({
        text: corpus[from + index].id,
        tokens: 1,
        terms: terms(text),
        embedding: { model: embedder.id, vector: vectors[from + index] },
      })),
    });
  }
  const storeMs = systemClock.monotonic() - stored;
  const nameOf = new Map();
  for (const row of await database.forTenant(tenant)((manager) => manager.query("SELECT id, text FROM passages")))
    nameOf.set(row.id, row.text);

  const questionVectors = await embedAll(
    embedder,
    queries.map((query) => query.text),
    "query",
  );
  const signal = new AbortController().signal;
  const meaning = new Map();
  const words = new Map();
  const took = { meaning: [], words: [] };
  for (const [index, query] of queries.entries()) {
    const known = { ...embedder, embed: async () => [questionVectors[index]] };
    const options = { principals: ["everyone"], limit: 100, signal };
    const began = systemClock.monotonic();
    meaning.set(query.id, await searchByMeaning(passages, known, query.text, options));
    const between = systemClock.monotonic();
    words.set(query.id, await searchByWords(passages, query.text, options));
    took.meaning.push(between - began);
    took.words.push(systemClock.monotonic() - between);
  }
  const median = (list) => Math.round([...list].sort((a, b) => a - b)[list.length >> 1]);
  const named = (lists) => new Map([...lists].map(([query, list]) => [query, list.map((each) => nameOf.get(each.passageId))]));
  const fused = (weight) => measure(named(new Map(queries.map(({ id }) => [id, fuse(meaning.get(id), words.get(id), weight)]))));
  const top = (lists) =>
    [0.1, 0.5, 0.9].map((share) =>
      Number(
        ([...lists.values()].map((list) => list[0]?.score ?? 0).sort((a, b) => a - b)[Math.floor(lists.size * share)] ?? 0).toFixed(3),
      ),
    );
  const result = {
    set: `${folder.split("/").filter(Boolean).at(-1)}${suffix ? `-${suffix}` : ""}`,
    documents: corpus.length,
    queries: queries.length,
    storeMs: Math.round(storeMs),
    p50Ms: { meaning: median(took.meaning), words: median(took.words) },
    topScores: { meaning: top(meaning), words: top(words) },
    words: measure(named(words)),
    meaning: measure(named(meaning)),
    fused: Object.fromEntries([0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((weight) => [weight, fused(weight)])),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
} finally {
  await embedder.close();
  await database.close();
  await rm(home, { recursive: true, force: true });
}
