import type { KnowledgeStorage } from "../../storage.ts";
import type { FullTextSearch, WeightedWord } from "../port.ts";
import { type QueryWord, queryWords } from "../terms.ts";
import { grantFilter } from "./grant-filter.ts";
import type { MeiliServer } from "./meili-server.ts";

export interface MeiliSearchParts {
  readonly server: MeiliServer;
  readonly storage: KnowledgeStorage;
  /** The database's own search. It serves what is narrowed to some documents: their sources and dates are the database's. */
  readonly database: FullTextSearch;
  /** A search failed: the index may be missing or set up otherwise. */
  onFailure(): void;
}

/** The server reads no more words of a query than these. */
const MOST_WORDS = 10;

/**
 * The search by words in Meilisearch. What its index says of who may read is a first sieve; the database's word on every hit is the last, so that
 * an index that is behind, or was written to by somebody else, shows nothing.
 */
export function meiliSearch({ server, storage, database, onFailure }: MeiliSearchParts): FullTextSearch {
  return {
    async search(tenant, query, scope) {
      const { principals, filter, limit, signal } = scope;
      if (filter && Object.keys(filter).length > 0) return database.search(tenant, query, scope);
      const grants = grantFilter(principals);
      const asked = queryWords(query);
      if (grants === undefined || asked.length === 0) return { hits: [], words: [] };
      const { passages } = storage.forTenant(tenant);
      const frequencies = await passages.termFrequencies([...new Set(asked.flatMap(({ terms }) => terms))], principals);
      const words = asked.map((word) => weighted(word, frequencies));
      const wanted = { words: telling(asked, words), filter: grants, limit, signal };
      const found = await server.search(tenant, wanted).catch((thrown: unknown) => {
        if (!signal.aborted) onFailure();
        throw thrown;
      });
      // Whatever the server answers: no more than was asked for, each once, and scores that can be compared.
      const hits = [...new Map(found.map((hit) => [hit.id, hit])).values()].filter(({ score }) => Number.isFinite(score)).slice(0, limit);
      const visible = await passages.visible(
        hits.map(({ id }) => id),
        principals,
      );
      return { hits: hits.filter(({ id }) => visible.has(id)).map(({ id, score }) => ({ passageId: id, score })), words };
    },
  };
}

/** Rare words tell more, those that nobody knows the most; only their proportions matter. */
const weighted = ({ written, terms }: QueryWord, frequencies: ReadonlyMap<string, number>): WeightedWord => ({
  written,
  terms,
  weight: 1 / Math.log(Math.E + Math.max(0, ...terms.map((term) => frequencies.get(term) ?? 0))),
});

/** The words that tell the most, in the order of the question: nothing in them means anything but itself to the server. */
function telling(asked: readonly QueryWord[], words: readonly WeightedWord[]): string {
  const order = asked.map((_, index) => index).sort((a, b) => (words[b]?.weight ?? 0) - (words[a]?.weight ?? 0) || a - b);
  const kept = new Set(order.slice(0, MOST_WORDS));
  return asked
    .filter((_, index) => kept.has(index))
    .map(({ written }) => written)
    .join(" ");
}
