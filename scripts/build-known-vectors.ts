/** Embeds the handbooks that come with the project, so that the first start need not. Run once after the install; what is there is kept. */
import { readdir, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { builtInEmbedder, knownVectorsFile } from "../src/app/embedder.ts";
import { systemClock } from "../src/core/clock.ts";
import { type DocumentId, tenantId } from "../src/core/ids.ts";
import { silentLogger } from "../src/core/logger.ts";
import { packVectors } from "../src/knowledge/embedder/known-vectors.ts";
import { createIngestion } from "../src/knowledge/ingest/pipeline.ts";
import { createExtractor } from "../src/knowledge/ingest/reader/extractor.ts";
import type { DocumentRows, KnowledgeStorage } from "../src/knowledge/storage.ts";

const embedder = builtInEmbedder();
const passages = new Map<string, Float32Array>();
const noting = {
  ...embedder,
  embed: async (...[texts, kind, signal]: Parameters<typeof embedder.embed>) => {
    const vectors = await embedder.embed(texts, kind, signal);
    texts.forEach((text, index) => void passages.set(text, vectors[index] ?? new Float32Array()));
    return vectors;
  },
};

/** Keeps nothing: what is wanted are the texts that ingestion embeds. */
const nothingStored: Pick<DocumentRows, "findBySource" | "countFailedReadings" | "knownVectors" | "replace"> = {
  findBySource: async () => undefined,
  countFailedReadings: async () => 0,
  knownVectors: async () => new Map(),
  replace: async () => "" as DocumentId,
};
const storage = { forTenant: () => ({ documents: nothingStored }) } as unknown as KnowledgeStorage;
const extractor = createExtractor(systemClock);
const ingestion = createIngestion({ storage, embedder: () => noting, extractor, clock: systemClock, log: silentLogger });

const folder = fileURLToPath(new URL("../../playground/seed/documents/", import.meta.url));
const paths = (await readdir(folder)).map((workspace) => `${folder}${workspace}`);
const options = { tenant: tenantId("00000000-0000-4000-8000-000000000000"), grants: [], signal: new AbortController().signal };
const failed = (await ingestion.ingest({ paths }, options)).filter(({ status }) => status === "failed");
await Promise.all([extractor.close(), embedder.close()]);
if (failed.length > 0) throw new Error(failed.map(({ path, reason }) => `${path}: ${reason}`).join("\n"));

const unfinished = `${knownVectorsFile}.unfinished-${process.pid}`;
await writeFile(unfinished, packVectors(embedder, passages));
await rename(unfinished, knownVectorsFile);
process.stdout.write(`Embedded ${passages.size} passages: ${knownVectorsFile}\n`);
