import { availableParallelism } from "node:os";
import type { Clock } from "../../src/core/clock.ts";
import { newId, type TenantId, tenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { everyone } from "../../src/core/principal.ts";
import type { Embedder } from "../../src/knowledge/embedder/port.ts";
import { percentile } from "../../src/knowledge/evaluate/metrics.ts";
import { chunk } from "../../src/knowledge/ingest/chunk.ts";
import { extract } from "../../src/knowledge/ingest/extract/extract.ts";
import { indexedText } from "../../src/knowledge/ingest/indexed-text.ts";
import { createIngestion } from "../../src/knowledge/ingest/pipeline.ts";
import type { Extractor } from "../../src/knowledge/ingest/reader/extractor.ts";
import { DocumentRepository } from "../../src/store/repositories/documents.ts";
import { PassageRepository } from "../../src/store/repositories/passages.ts";
import { largePdf } from "../../test/fakes/large-pdf.ts";
import type { BenchDatabase } from "./bench-database.ts";

interface Plan {
  readonly pages: number;
  readonly rounds: number;
  readonly embedder: Embedder;
  readonly extractor: Extractor;
  readonly clock: Clock;
}

/**
 * How fast a PDF is read in, beside its parser and the embedder alone, which run in this process one after the other and store nothing. In
 * turns, each round in a workspace of its own; medians.
 */
export async function measureIngestion({ database, asOwner }: BenchDatabase, { pages, rounds, embedder, extractor, clock }: Plan) {
  const bytes = await largePdf(pages);
  const { signal } = new AbortController();
  const storage = {
    forTenant: (tenant: TenantId) => ({
      documents: new DocumentRepository(database.forTenant(tenant), tenant),
      passages: new PassageRepository(database.forTenant(tenant), tenant),
    }),
  };
  const ingestion = createIngestion({ storage, embedder: () => embedder, extractor, clock, log: silentLogger });
  const timed = async (work: () => Promise<void>) => {
    const from = clock.monotonic();
    await work();
    return clock.monotonic() - from;
  };
  let passages = 0;
  const bare = () =>
    timed(async () => {
      const { title, blocks } = await extract({ name: "large.pdf", bytes: Uint8Array.from(bytes), onProgress: () => {} });
      const texts = chunk(blocks, embedder.tokens).map((each) => indexedText(title, each));
      passages = texts.length;
      await embedder.embed(texts, "passage", signal);
    });
  const whole = async () => {
    const tenant = tenantId(newId());
    await asOwner("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $2)", [tenant, `T${tenant}`]);
    const files = [{ name: "large.pdf", bytes, sourceUri: "bench:large.pdf" }];
    return await timed(async () => {
      const [report] = await ingestion.ingest({ files }, { tenant, grants: [everyone], signal });
      if (report?.status !== "added") throw new Error(report?.reason);
    });
  };
  const times = { bare: [] as number[], whole: [] as number[] };
  await embedder.embed(["warm"], "passage", signal);
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await bare());
    times.whole.push(await whole());
  }
  const [bareMs, wholeMs] = [percentile(times.bare, 0.5), percentile(times.whole, 0.5)];
  const perSecond = (of: number, ms: number) => Number(((of * 1_000) / ms).toPrecision(3));
  return {
    ...{ pages, passages, processors: availableParallelism(), embedder: embedder.id },
    ...{ bareMs: Math.round(bareMs), wholeMs: Math.round(wholeMs), ratio: Number((bareMs / wholeMs).toFixed(2)) },
    ...{ passagesPerSecond: perSecond(passages, wholeMs), megabytesPerSecond: perSecond(bytes.length / 1e6, wholeMs) },
  };
}
