import type { Config } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import { Indexer } from "../knowledge/full-text/meilisearch/indexer.ts";
import { meiliSearch } from "../knowledge/full-text/meilisearch/meili-search.ts";
import { MeiliServer } from "../knowledge/full-text/meilisearch/meili-server.ts";
import type { FullTextSearch } from "../knowledge/full-text/port.ts";
import { databaseFullText } from "../knowledge/retrieve/full-text.ts";
import type { KnowledgeStorage } from "../knowledge/storage.ts";
import type { Store } from "../store/store.ts";

/** Full text beside the database: the search, and what keeps its indexes current. */
export interface FullTextSide {
  readonly search: FullTextSearch;
  readonly indexer: Indexer;
}

/** Undefined where the operator has named no server: then words are searched in the database. */
export function createFullText(
  config: Config["meilisearch"],
  parts: { readonly storage: KnowledgeStorage; store(): Store; readonly clock: Clock; readonly log: Logger },
): FullTextSide | undefined {
  if (!config) return undefined;
  const { storage, store, clock, log } = parts;
  const server = new MeiliServer({ ...config, clock });
  const tenants = async () => (await store().tenants.list()).map(({ id }) => id);
  const indexer = new Indexer({ server, clock, log, tenants, rowsOf: (tenant) => store().forTenant(tenant).fullTextIndex });
  const search = meiliSearch({ server, storage, database: databaseFullText(storage), onFailure: () => indexer.doubt() });
  return { search, indexer };
}
