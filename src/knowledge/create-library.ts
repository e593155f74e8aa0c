import { codeOf } from "../core/errors.ts";
import type { TenantId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Embedder, EmbedderInUse } from "./embedder/port.ts";
import type { FoundByWords, FullTextSearch } from "./full-text/port.ts";
import {
  type ContextRequest,
  type Found,
  type Library,
  type ListOptions,
  RELEVANCE_FLOOR,
  type SearchOptions,
  type TenantLibrary,
} from "./library.ts";
import { databaseFullText } from "./retrieve/full-text.ts";
import { fuse, meaningWeight } from "./retrieve/fuse.ts";
import { lookInto } from "./retrieve/look-into.ts";
import { mergeNeighbours } from "./retrieve/merge-neighbours.ts";
import { relevant } from "./retrieve/relevance.ts";
import { CANDIDATES, type Scored } from "./retrieve/scored.ts";
import { searchByMeaning } from "./retrieve/semantic.ts";
import type { KnowledgeStorage, TenantKnowledge } from "./storage.ts";

export interface LibraryParts {
  readonly storage: KnowledgeStorage;
  readonly embedder: EmbedderInUse;
  /** The database's own, unless given. */
  readonly fullText?: FullTextSearch | undefined;
  readonly log: Logger;
}

const MEANING_DOWN = "Searching by meaning failed, so only passages with the words of the question were found.";
const WORDS_DOWN = "Searching by words failed, so only passages close in meaning were found.";
const LANGUAGE_UNKNOWN = "The embedding model does not know this language, so nothing was searched by meaning.";

const MAX_HITS = 50;
const MAX_NEIGHBOURS = 20;
const MAX_LISTED = 100;

/** The library over a storage and an embedding model. */
export const createLibrary = (parts: LibraryParts): Library => ({
  forTenant: (tenant) => new BoundLibrary(parts, tenant),
});

class BoundLibrary implements TenantLibrary {
  readonly #parts: LibraryParts;
  readonly #tenant: TenantId;
  readonly #knowledge: TenantKnowledge;
  readonly #fullText: FullTextSearch;

  constructor(parts: LibraryParts, tenant: TenantId) {
    this.#parts = parts;
    this.#tenant = tenant;
    this.#knowledge = parts.storage.forTenant(tenant);
    this.#fullText = parts.fullText ?? databaseFullText(parts.storage);
  }

  async semantic(query: string, options: SearchOptions): Promise<Found> {
    const embedder = this.#parts.embedder();
    if (!embedder.reads(query)) return { hits: [], notices: [LANGUAGE_UNKNOWN] };
    const meaning = await this.#byMeaning(embedder, query, options);
    return await this.#found(relevant(meaning, { meaning, words: [] }, RELEVANCE_FLOOR), options, []);
  }

  async fullText(query: string, options: SearchOptions): Promise<Found> {
    const { hits } = await this.#byWords(query, options);
    // Whoever asks for words wants every passage that has them, however many of the others are missing.
    return await this.#found(relevant(hits, { meaning: [], words: hits }, 0), options, []);
  }

  async hybrid(query: string, options: SearchOptions): Promise<Found> {
    const embedder = this.#parts.embedder();
    const reads = embedder.reads(query);
    const [meaning, words] = await Promise.allSettled([
      reads ? this.#byMeaning(embedder, query, options) : [],
      this.#byWords(query, options),
    ]);
    options.signal.throwIfAborted();
    if (words.status === "rejected" && (meaning.status === "rejected" || !reads)) throw words.reason;
    const notices = [
      ...(meaning.status === "rejected" ? [this.#noted("The search by meaning failed", meaning.reason, MEANING_DOWN)] : []),
      ...(words.status === "rejected" ? [this.#noted("The search by words failed", words.reason, WORDS_DOWN)] : []),
    ];
    const near = meaning.status === "fulfilled" ? meaning.value : [];
    const worded = words.status === "fulfilled" ? words.value : { hits: [], words: [] };
    const own = meaningWeight(embedder.weight, worded.words.length);
    const weight = !reads || meaning.status === "rejected" ? 0 : words.status === "rejected" ? 1 : own;
    const ranked = await lookInto(this.#knowledge.passages, fuse(near, worded.hits, weight), worded.words, options.principals);
    return await this.#found(relevant(ranked, { meaning: near, words: worded.hits }, RELEVANCE_FLOOR), options, notices);
  }

  async context(where: ContextRequest, { principals }: Pick<SearchOptions, "principals">) {
    const within =
      "passage" in where
        ? { ...where, before: clamp(where.before, 0, MAX_NEIGHBOURS), after: clamp(where.after, 0, MAX_NEIGHBOURS) }
        : { ...where, fromPage: clamp(where.fromPage, 1, 1e6), toPage: clamp(where.toPage, 1, 1e6) };
    return await this.#knowledge.passages.context(within, principals);
  }

  async list(options: ListOptions) {
    const { limit, offset } = options;
    return await this.#knowledge.documents.list({ ...options, limit: clamp(limit, 1, MAX_LISTED), offset: clamp(offset, 0, 1e6) });
  }

  #byMeaning(embedder: Embedder, query: string, { principals, filter, signal }: SearchOptions): Promise<readonly Scored[]> {
    return searchByMeaning(this.#knowledge.passages, embedder, query, { principals, filter, signal, limit: CANDIDATES });
  }

  #byWords(query: string, { principals, filter, signal }: SearchOptions): Promise<FoundByWords> {
    return this.#fullText.search(this.#tenant, query, { principals, filter, signal, limit: CANDIDATES });
  }

  /** Reads the best anew, with the principals once more: what was withdrawn since the search is left out. */
  async #found(scored: readonly Scored[], { principals, limit, signal }: SearchOptions, notices: readonly string[]): Promise<Found> {
    signal.throwIfAborted();
    const best = scored.slice(0, clamp(limit, 1, MAX_HITS));
    if (best.length === 0) return { hits: [], notices };
    const scores = new Map(best.map(({ passageId, score }) => [passageId, score]));
    const passages = await this.#knowledge.passages.read([...scores.keys()], principals);
    const hits = passages.map((passage) => ({ ...passage, score: scores.get(passage.passageId) ?? 0 }));
    return { hits: mergeNeighbours(hits), notices };
  }

  #noted(what: string, reason: unknown, notice: string): string {
    this.#parts.log.warn(what, { tenant: this.#tenant, code: codeOf(reason) });
    return notice;
  }
}

/** A whole number within bounds, whatever a model asked for. */
const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number.isFinite(value) ? Math.trunc(value) : least));
