import { createHash } from "node:crypto";
import { type DocumentId, documentId, isUuid, type PassageId, passageId, type TenantId } from "../../src/core/ids.ts";
import type { Principal } from "../../src/core/principal.ts";
import type {
  DocumentExcerpt,
  ExcerptPassage,
  Found,
  Library,
  PassageHit,
  SearchOptions,
  TenantLibrary,
} from "../../src/knowledge/library.ts";

/** A document to put into the library. A page's text is one passage. */
export interface SampleDocument {
  readonly title: string;
  readonly grants: readonly Principal[];
  readonly pages: readonly string[];
}

const updatedAt = new Date("2026-03-01T09:00:00Z");

/** Ids that follow from the words, so that a test can name them. */
export const documentIdOf = (title: string): DocumentId => documentId(uuidOf(title));
export const passageIdOf = (title: string, page: number): PassageId => passageId(uuidOf(`${title}#${page}`));

/** The library port over an array, for tests of its users: finds by shared words and keeps the rule on grants. */
export class MemoryLibrary implements Library {
  readonly #documents = new Map<TenantId, SampleDocument[]>();
  /** Sentences that every search adds. */
  notices: readonly string[] = [];
  /** When set, searches wait until their signal aborts. */
  hanging = false;

  add(tenant: TenantId, ...documents: SampleDocument[]): this {
    this.#documents.set(tenant, [...(this.#documents.get(tenant) ?? []), ...documents]);
    return this;
  }

  forTenant(tenant: TenantId): TenantLibrary {
    const visible = (principals: readonly Principal[]) =>
      (this.#documents.get(tenant) ?? []).filter(({ grants }) => grants.some((grant) => principals.includes(grant)));

    const search = async (query: string, { principals, limit, signal }: SearchOptions): Promise<Found> => {
      if (this.hanging) await aborted(signal);
      signal.throwIfAborted();
      const hits = visible(principals).flatMap((document) => document.pages.map((_, index) => hitOf(document, index + 1, query)));
      const best = hits.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
      return { hits: best.slice(0, limit), notices: this.notices };
    };

    return {
      semantic: search,
      fullText: search,
      hybrid: search,
      async context(where, { principals }) {
        const id = "document" in where ? where.document : where.passage;
        if (!isUuid(id)) throw new Error("invalid input syntax for type uuid");
        const document = visible(principals).find(({ title, pages }) =>
          "document" in where ? documentIdOf(title) === where.document : pages.some((_, i) => passageIdOf(title, i + 1) === where.passage),
        );
        if (!document) return undefined;
        const found = "passage" in where ? document.pages.findIndex((_, i) => passageIdOf(document.title, i + 1) === where.passage) + 1 : 0;
        const range =
          "passage" in where ? ([found - where.before, found + where.after] as const) : ([where.fromPage, where.toPage] as const);
        return excerptOf(document, ...range);
      },
      async list({ principals, contains = "", limit, offset }) {
        const all = visible(principals).filter(({ title }) => title.toLowerCase().includes(contains.toLowerCase()));
        const documents = all.slice(offset, offset + limit).map(({ title, pages }) => ({
          documentId: documentIdOf(title),
          title,
          format: "pdf" as const,
          pages: pages.length,
          passages: pages.length,
          updatedAt,
        }));
        return { documents, total: all.length };
      },
    };
  }
}

const passageOf = ({ title, pages }: SampleDocument, page: number): ExcerptPassage => ({
  passageId: passageIdOf(title, page),
  page,
  text: pages[page - 1] ?? "",
});

/** Words that every question has: on the port's scale they are no part of what was asked. */
const plain = new Set(
  "a an and are at be by can do does for from get have how i in is it me my of on or our the to us we what when where which who you".split(
    " ",
  ),
);

function hitOf(document: SampleDocument, page: number, query: string): PassageHit {
  const passage = passageOf(document, page);
  const wanted = wordsOf(query).filter((word) => !plain.has(word));
  const score = wanted.filter((word) => wordsOf(passage.text).includes(word)).length / Math.max(1, wanted.length);
  return { ...passage, documentId: documentIdOf(document.title), title: document.title, score, updatedAt };
}

function excerptOf(document: SampleDocument, from: number, to: number): DocumentExcerpt {
  const passages = document.pages.map((_, i) => passageOf(document, i + 1)).slice(Math.max(0, from - 1), Math.max(0, to));
  return { documentId: documentIdOf(document.title), title: document.title, pages: document.pages.length, passages, truncated: false };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const uuidOf = (words: string): string =>
  createHash("sha256")
    .update(words)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
