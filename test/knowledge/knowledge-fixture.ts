import { systemClock } from "../../src/core/clock.ts";
import type { TenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { everyone, type Principal } from "../../src/core/principal.ts";
import { createLibrary } from "../../src/knowledge/create-library.ts";
import { extract } from "../../src/knowledge/ingest/extract/extract.ts";
import { createIngestion, type FileReport, type Ingestion } from "../../src/knowledge/ingest/pipeline.ts";
import type { Extractor } from "../../src/knowledge/ingest/reader/extractor.ts";
import type { Library } from "../../src/knowledge/library.ts";
import type { KnowledgeStorage } from "../../src/knowledge/storage.ts";
import { DocumentRepository } from "../../src/store/repositories/documents.ts";
import { PassageRepository } from "../../src/store/repositories/passages.ts";
import { type DatabaseKind, openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";
import { type WordEmbedder, wordEmbedder } from "./word-embedder.ts";

export interface KnowledgeFixture {
  readonly test: TestDatabase;
  readonly storage: KnowledgeStorage;
  readonly embedder: WordEmbedder;
  readonly library: Library;
  readonly ingestion: Ingestion;
  /** Adds one Markdown text as a file of this name. */
  add(tenant: TenantId, name: string, text: string, grants?: readonly Principal[]): Promise<FileReport>;
}

let reading: Promise<unknown> = Promise.resolve();

/** Reads in this process, one file after another: the process of its own has its own test. */
export const directExtractor: Extractor = {
  extract({ name, bytes }) {
    const result = reading.then(() => extract({ name, bytes, onProgress: () => {} }));
    reading = result.catch(() => undefined);
    return result;
  },
  close: async () => {},
};

/** A library over a fresh database, with an embedder that needs no model. */
export async function openKnowledge(kind: DatabaseKind): Promise<KnowledgeFixture> {
  const test = await openTestDatabase(kind);
  const storage: KnowledgeStorage = {
    forTenant: (tenant) => ({
      documents: new DocumentRepository(test.database.forTenant(tenant), tenant),
      passages: new PassageRepository(test.database.forTenant(tenant), tenant),
    }),
  };
  const embedder = wordEmbedder();
  const ingestion = createIngestion({
    storage,
    embedder: () => embedder,
    extractor: directExtractor,
    clock: systemClock,
    log: silentLogger,
  });
  return {
    test,
    storage,
    embedder,
    ingestion,
    library: createLibrary({ storage, embedder: () => embedder, log: silentLogger }),
    async add(tenant, name, text, grants = [everyone]) {
      const files = [{ name, bytes: Buffer.from(text), sourceUri: `test:${name}` }];
      const [report] = await ingestion.ingest({ files }, { tenant, grants, signal: new AbortController().signal });
      if (!report) throw new Error("no report");
      return report;
    },
  };
}
