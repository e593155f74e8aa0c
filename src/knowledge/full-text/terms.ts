import { type Language, languageOf, latinLanguages, stem } from "./languages.ts";
import { stopWordsOf } from "./stop-words.ts";

/** Longer "words" are data (hashes, base64) of which the beginning is enough to find them. */
const LONGEST_TERM = 64;

/**
 * The words of a text as they are indexed: lower case, without accents, endings removed as its language has them, stop words left out.
 * Scripts written without spaces are cut by the Unicode dictionary. Repetitions and order are kept.
 */
export function terms(text: string): string[] {
  const language = languageOf(text) ?? "en";
  return wordsOf(text, language).map((word) => indexed(word, language));
}

/** The words of a text as they stand, in lower case, accents kept; without stop words. */
export const writtenWords = (text: string): string[] => wordsOf(text, languageOf(text) ?? "en");

/** A word of a query, and the terms that may stand for it in a passage. */
export interface QueryWord {
  /** In lower case, accents kept. */
  readonly written: string;
  readonly terms: readonly string[];
}

/**
 * The words of a query, each once, in order. A passage's endings were removed in its own language and not in the query's, hence several terms:
 * those of the query's language and of English; those of every language that it may be where a few words do not tell.
 */
export function queryWords(query: string): QueryWord[] {
  const language = languageOf(query);
  const found = new Map<string, QueryWord>();
  for (const written of wordsOf(query, language ?? "en")) {
    const word = { written, terms: queryTerms(written, language) };
    found.set(word.terms.join(" "), found.get(word.terms.join(" ")) ?? word);
  }
  return [...found.values()];
}

/** The terms that may stand for a word of a query in this language. */
export function queryTerms(written: string, language: Language | undefined): string[] {
  const languages: readonly Language[] = language === undefined ? latinLanguages : language === "en" ? ["en"] : [language, "en"];
  return [...new Set(stemmable.test(written) ? languages.map((each) => indexed(written, each)) : [indexed(written, "en")])];
}

/** Letters, digits and what holds a word together: apostrophes, underscores, and points or commas between digits. */
const runs = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+|[.,](?=\p{N})[\p{N}]+)*/gu;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What has endings: a word of letters. Numbers and names of settings are found as they are written. */
const stemmable = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{M}]+$/u;

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** In lower case, accents kept, stop words left out. */
function wordsOf(text: string, language: Language): string[] {
  const stopWords = stopWordsOf(language);
  const found: string[] = [];
  for (const [run] of text.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").matchAll(runs)) {
    if (unspaced.test(run)) {
      for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) found.push(segment);
    } else if (!stopWords.has(run)) found.push(...parts(run, language));
  }
  return found.filter((word) => word !== "" && !stopWords.has(word));
}

/** A name of a setting is found whole and by its parts, "l'école" by what follows the article, "company's" without its ending. */
function parts(run: string, language: Language): string[] {
  const elided = language === "fr" || language === "it" ? run.replace(/^\p{L}{1,4}['’](?=\p{L})/u, "") : run;
  const word = elided.replace(/['’]s?$/, "").replace(/['’](?=s$)/, "");
  return word.includes("_") ? [word, ...word.split("_")] : [word];
}

/** English knows no accents, so that "café" and "cafe" end alike; elsewhere they belong to the endings. */
function indexed(word: string, language: Language): string {
  const bare = language === "en" ? fold(word) : word;
  return fold(stemmable.test(bare) ? stem(bare, language) : bare).slice(0, LONGEST_TERM);
}

const fold = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC");
