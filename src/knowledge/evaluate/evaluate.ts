import type { Clock } from "../../core/clock.ts";
import type { PassageId, TenantId } from "../../core/ids.ts";
import { silentLogger } from "../../core/logger.ts";
import { everyone } from "../../core/principal.ts";
import type { Embedder } from "../embedder/port.ts";
import { createIngestion } from "../ingest/pipeline.ts";
import type { Extractor } from "../ingest/reader/extractor.ts";
import { searchByWords } from "../retrieve/full-text.ts";
import { fuse, meaningWeight } from "../retrieve/fuse.ts";
import { type LookIntoOptions, lookInto } from "../retrieve/look-into.ts";
import { CANDIDATES, type Scored } from "../retrieve/scored.ts";
import { searchByMeaning } from "../retrieve/semantic.ts";
import type { KnowledgeStorage, PassageRows } from "../storage.ts";
import type { JudgedSet } from "./judged-set.ts";
import { percentile, type Quality, quality } from "./metrics.ts";

/** The stages in the order of a search; "whole" is what a search gives. */
export const stages = ["full text", "semantic", "fused", "fused, re-ranked", "fused, diversified", "whole"] as const;
export type Stage = (typeof stages)[number];

export interface StageQuality extends Quality {
  /** Milliseconds of this stage with all that it needs before it; the two sides are asked at the same time. */
  readonly p50: number;
  readonly p95: number;
}

export interface SetQuality {
  readonly set: string;
  readonly embedder: string;
  readonly documents: number;
  readonly passages: number;
  readonly questions: number;
  readonly stages: Readonly<Record<Stage, StageQuality>>;
}

export interface EvaluationParts {
  readonly storage: KnowledgeStorage;
  /** A tenant that has nothing else. */
  readonly tenant: TenantId;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  onProgress(line: string): void;
}

/** Adds a judged set's documents as any others are added, asks its questions, and measures what each stage of a search is worth. */
export async function evaluate(set: JudgedSet, parts: EvaluationParts): Promise<SetQuality> {
  const { storage, tenant, embedder, clock, signal } = parts;
  const { passages: rows } = storage.forTenant(tenant);
  const { documentOf, count } = await ingest(set, parts);
  const rankings = new Map<Stage, Map<string, readonly string[]>>(stages.map((stage) => [stage, new Map()]));
  const times = new Map<Stage, number[]>(stages.map((stage) => [stage, []]));
  const scope = { principals: [everyone], limit: CANDIDATES, signal };

  for (const [index, question] of set.questions.entries()) {
    signal.throwIfAborted();
    if (index % 100 === 0) parts.onProgress(`${set.name}: question ${index} of ${set.questions.length}`);
    const reads = embedder.reads(question.text);
    const [words, wordsMs] = await timed(clock, () => searchByWords(rows, question.text, scope));
    const [meaning, meaningMs] = await timed(clock, () => searchByMeaning(rows, embedder, question.text, scope));
    const sidesMs = reads ? Math.max(wordsMs, meaningMs) : wordsMs;
    const weight = reads ? meaningWeight(embedder.weight, words.words.length) : 0;
    const fused = fuse(reads ? meaning : [], words.hits, weight);
    const note = async (stage: Stage, ranked: readonly Scored[], ms: number) => {
      rankings.get(stage)?.set(question.id, await documentOf(ranked));
      times.get(stage)?.push(ms);
    };
    const deeper = async (stage: Stage, options: LookIntoOptions) => {
      const [ranked, ms] = await timed(clock, () => lookInto(rows, fused, words.words, scope.principals, options));
      await note(stage, ranked, sidesMs + ms);
    };
    await note("full text", words.hits, wordsMs);
    await note("semantic", meaning, meaningMs);
    await note("fused", fused, sidesMs);
    await deeper("fused, re-ranked", { diversified: false });
    await deeper("fused, diversified", { reranked: false });
    await deeper("whole", {});
  }

  const measured = stages.map((stage) => {
    const ms = times.get(stage) ?? [];
    return [
      stage,
      { ...quality(rankings.get(stage) ?? new Map(), set.judgments), p50: percentile(ms, 0.5), p95: percentile(ms, 0.95) },
    ] as const;
  });
  return {
    set: set.name,
    embedder: embedder.id,
    documents: set.documents.length,
    passages: count,
    questions: set.questions.length,
    stages: Object.fromEntries(measured) as Record<Stage, StageQuality>,
  };
}

async function timed<T>(clock: Clock, work: () => Promise<T>): Promise<[T, number]> {
  const begun = clock.monotonic();
  const result = await work();
  return [result, clock.monotonic() - begun];
}

/** Documents in parts, so that progress can be told. */
const DOCUMENTS_AT_ONCE = 100;

/** A document found counts by the best rank of its passages. */
async function ingest(set: JudgedSet, { storage, tenant, embedder, clock, signal, onProgress }: EvaluationParts) {
  const ingestion = createIngestion({ storage, embedder: () => embedder, extractor: extractorOf(set), clock, log: silentLogger });
  const corpusId = new Map<string, string>();
  let count = 0;
  for (let from = 0; from < set.documents.length; from += DOCUMENTS_AT_ONCE) {
    onProgress(`${set.name}: document ${from} of ${set.documents.length}`);
    const files = set.documents
      .slice(from, from + DOCUMENTS_AT_ONCE)
      .map(({ id }) => ({ name: id, bytes: Buffer.from(id), sourceUri: `judged:${id}` }));
    for (const report of await ingestion.ingest({ files }, { tenant, grants: [everyone], signal })) {
      if (report.documentId) corpusId.set(report.documentId, report.path);
      count += report.passages;
    }
  }
  return { count, documentOf: documentsOf(storage.forTenant(tenant).passages, corpusId) };
}

function documentsOf(rows: PassageRows, corpusId: ReadonlyMap<string, string>) {
  const known = new Map<PassageId, string>();
  return async (ranked: readonly Scored[]): Promise<string[]> => {
    const unknown = ranked.map(({ passageId }) => passageId).filter((id) => !known.has(id));
    if (unknown.length > 0)
      for (const { passageId, documentId } of await rows.read(unknown, [everyone])) known.set(passageId, corpusId.get(documentId) ?? "");
    return [...new Set(ranked.map(({ passageId }) => known.get(passageId) ?? ""))];
  };
}

/** The texts are at hand already: nothing has to be read out of a file. */
function extractorOf(set: JudgedSet): Extractor {
  const byId = new Map(set.documents.map((document) => [document.id, document]));
  return {
    async extract({ name }) {
      const { title, text } = byId.get(name) ?? { title: "", text: "" };
      const paragraphs = text.split(/\n{2,}/).map((each) => each.trim());
      const blocks = paragraphs.filter((each) => each !== "").map((each) => ({ text: each, headingPath: [], kind: "prose" as const }));
      return { title, format: "text", blocks, notes: [] };
    },
    close: async () => {},
  };
}
