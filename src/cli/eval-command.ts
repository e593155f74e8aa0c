import { resolve } from "node:path";
import type { Command } from "commander";
import type { EvaluationReport, EvaluationRequest } from "../operations.ts";
import { printable } from "./printable.ts";
import type { Output } from "./terminal-sink.ts";

export interface EvalCommandParts {
  readonly out: Output;
  readonly side: Output;
  /** Relative folders are seen from here. */
  readonly callerFolder: string;
  printJson(value: unknown): void;
  evaluate(request: EvaluationRequest, onProgress: (line: string) => void): Promise<readonly EvaluationReport[]>;
}

interface EvalOptions {
  readonly set: string[];
  readonly language?: string[];
  readonly questions?: number;
  readonly cache?: string;
  readonly json?: boolean;
}

/** `footnote eval`: what each stage of the search is worth on judged questions. */
export function addEvalCommand(program: Command, { out, side, callerFolder, printJson, evaluate }: EvalCommandParts): void {
  program
    .command("eval")
    .description("measure the search, stage by stage, on judged sets (corpus.jsonl, queries.jsonl, qrels.tsv); touches no workspace")
    .requiredOption("--set <folders...>", "folders of judged sets")
    .option("--language <codes...>", "of folders with several languages only these, e.g. en de")
    .option("--questions <number>", "ask only so many questions of each set, evenly picked", Number)
    .option("--cache <folder>", "keep the vectors of texts there, so that the next run need not make them again")
    .option("--json", "print one JSON object")
    .action(async ({ set, language, questions, cache, json }: EvalOptions) => {
      const absolute = (path: string) => resolve(callerFolder, path);
      const request = {
        folders: set.map(absolute),
        ...(cache && { cache: absolute(cache) }),
        ...(language && { languages: language }),
        ...(questions && { questions }),
      };
      const sets = await evaluate(request, (line) => side.write(printable(`${line}\n`)));
      if (json) printJson({ sets });
      else for (const each of sets) out.write(printable(evaluationForPeople(each)));
    });
}

/** A table a set, in Markdown. */
function evaluationForPeople({ set, embedder, documents, passages, questions, stages }: EvaluationReport): string {
  const rows = Object.entries(stages).map(([stage, { ndcg10, recall10, recall100, p50, p95 }]) => {
    const quality = [ndcg10, recall10, recall100].map((value) => value.toFixed(4));
    return `| ${[stage, ...quality, `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`].join(" | ")} |`;
  });
  return [
    `\n${set}: ${documents} documents, ${passages} passages, ${questions} questions, embedder ${embedder}\n`,
    "| stage | nDCG@10 | recall@10 | recall@100 | p50 / p95 |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
