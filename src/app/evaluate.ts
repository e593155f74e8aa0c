import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { newId, type TenantId, tenantId } from "../core/ids.ts";
import { silentLogger } from "../core/logger.ts";
import { cachedEmbedder } from "../knowledge/embedder/cached.ts";
import { evaluate } from "../knowledge/evaluate/evaluate.ts";
import { type JudgedSet, readJudgedSets } from "../knowledge/evaluate/judged-set.ts";
import type { EvaluationReport, EvaluationRequest } from "../operations.ts";
import { Database } from "../store/database.ts";
import { DocumentRepository } from "../store/repositories/documents.ts";
import { PassageRepository } from "../store/repositories/passages.ts";
import { embedderFor } from "./embedder.ts";

export interface EvaluateSetsParts {
  readonly config: Pick<Config, "embedder">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  onProgress(line: string): void;
}

/** Measures the search on judged sets, in an embedded database of its own that is removed afterwards. */
export async function evaluateSets(
  { folders, cache, languages, questions }: EvaluationRequest,
  parts: EvaluateSetsParts,
): Promise<EvaluationReport[]> {
  const all = (await Promise.all(folders.map(readJudgedSets))).flat();
  const sets = languages ? all.filter(({ name }) => languages.some((language) => name.endsWith(`-${language}`))) : all;
  const bare = embedderFor(parts.config.embedder);
  const embedder = cache ? await cachedEmbedder(bare, cache) : bare;
  const home = await mkdtemp(join(tmpdir(), "footnote-eval-"));
  try {
    const database = await Database.open({ home, clock: parts.clock, log: silentLogger });
    try {
      const reports: EvaluationReport[] = [];
      for (const set of sets) {
        const asked = questions ? evenlyPicked(set, questions) : set;
        reports.push(await evaluate(asked, { ...parts, ...(await scratchTenant(database, set)), embedder }));
      }
      return reports;
    } finally {
      await database.close();
    }
  } finally {
    await embedder.close();
    await rm(home, { recursive: true, force: true });
  }
}

function evenlyPicked(set: JudgedSet, count: number): JudgedSet {
  const step = Math.max(1, set.questions.length / count);
  return { ...set, questions: set.questions.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)) };
}

/** A workspace for each set, so that none sees another's documents. */
async function scratchTenant(database: Database, { name }: JudgedSet) {
  const tenant = tenantId(newId());
  await database.system((manager) =>
    manager.query("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $3)", [tenant, `T-${tenant}`, name]),
  );
  const storage = {
    forTenant: (id: TenantId) => ({
      documents: new DocumentRepository(database.forTenant(id), id),
      passages: new PassageRepository(database.forTenant(id), id),
    }),
  };
  return { tenant, storage };
}
