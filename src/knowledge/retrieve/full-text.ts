import { languageOf } from "../full-text/languages.ts";
import type { FoundByWords, FullTextSearch, SearchScope } from "../full-text/port.ts";
import { compoundParts, respellings } from "../full-text/respell.ts";
import { type QueryWord, queryTerms, queryWords } from "../full-text/terms.ts";
import type { KnowledgeStorage, PassageRows } from "../storage.ts";

/** The search by words that needs nothing but the database. */
export const databaseFullText = (storage: KnowledgeStorage): FullTextSearch => ({
  search: (tenant, query, scope) => searchByWords(storage.forTenant(tenant).passages, query, scope),
});

/** Words that are respelt in one query at most: who writes more unknown words than these has not just mistyped. */
const MOST_RESPELT = 4;
/** Spellings taken for one unknown word. */
const MOST_SPELLINGS = 2;

/**
 * Passages that hold words of the query. A word that no passage holds is read as the nearest one that some do: one letter off, or two words
 * put together.
 */
export async function searchByWords(
  passages: PassageRows,
  query: string,
  { principals, filter, limit }: SearchScope,
): Promise<FoundByWords> {
  const asked = queryWords(query);
  if (asked.length === 0) return { hits: [], words: [] };
  const search = async (words: readonly QueryWord[]) => {
    const found = await passages.byTerms(
      words.map(({ terms }) => terms),
      principals,
      limit,
      filter,
    );
    const weighted = words.map(({ written, terms }, index) => ({ written, terms, weight: found.words[index]?.weight ?? 0 }));
    const hits = found.candidates.map(({ passageId, score, bound }) => ({ passageId, score: score / bound }));
    return { hits, words: weighted, unknown: words.filter((_, index) => found.words[index]?.passages === 0) };
  };

  const first = await search(asked);
  if (first.unknown.length === 0 || first.unknown.length > MOST_RESPELT) return first;
  const known = (terms: readonly string[]) => passages.termFrequencies(terms, principals, filter);
  const respelt = await respell(asked, first.unknown, query, known);
  return respelt ? await search(respelt) : first;
}

type Known = (terms: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** The words with the unknown ones replaced; undefined when nothing could be. */
async function respell(asked: readonly QueryWord[], unknown: readonly QueryWord[], query: string, known: Known) {
  const language = languageOf(query) ?? "en";
  const readings = unknown.map(({ written }) => ({
    written,
    spellings: respellings(written).map((each) => queryTerms(each, language)),
    parts: compoundParts(written).map((pair) => pair.map((each) => queryTerms(each, language))),
  }));
  const all = readings.flatMap(({ spellings, parts }) => [...spellings.flat(), ...parts.flat(2)]);
  if (all.length === 0) return undefined;
  const frequencies = await known([...new Set(all)]);
  const often = (terms: readonly string[]) => Math.max(0, ...terms.map((term) => frequencies.get(term) ?? 0));

  const replacements = new Map<string, QueryWord[]>();
  for (const { written, spellings, parts } of readings) {
    const likely = spellings.filter((terms) => often(terms) > 0).sort((a, b) => often(b) - often(a));
    const pairs = parts.filter((pair) => pair.every((terms) => often(terms) > 0)).sort((a, b) => rarest(b, often) - rarest(a, often));
    if (likely.length > 0) {
      replacements.set(written, [{ written, terms: [...new Set(likely.slice(0, MOST_SPELLINGS).flat())] }]);
    } else if (pairs[0]) {
      replacements.set(
        written,
        pairs[0].map((terms) => ({ written, terms })),
      );
    }
  }
  return replacements.size === 0 ? undefined : asked.flatMap((word) => replacements.get(word.written) ?? [word]);
}

const rarest = (pair: readonly (readonly string[])[], often: (terms: readonly string[]) => number): number => Math.min(...pair.map(often));
