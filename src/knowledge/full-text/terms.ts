import { stemmer } from "stemmer";
import { stopWords } from "./stop-words.ts";

/** Longer "words" are data (hashes, base64) of which the beginning is enough to find them. */
const LONGEST_TERM = 64;

/**
 * The words of a text as they are indexed and searched: lower case, without accents, English endings removed, stop words left out.
 * Scripts written without spaces are cut by the Unicode dictionary. Repetitions and order are kept.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(runs)) {
    if (unspaced.test(run)) found.push(...unspacedTerms(run));
    else spacedTerms(run, found);
  }
  return found;
}

/** Letters, digits and what holds a word together: apostrophes, underscores, and points or commas between digits. */
const runs = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+|[.,](?=\p{N})[\p{N}]+)*/gu;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

function unspacedTerms(run: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue;
    const word = fold(segment);
    if (word !== "" && !stopWords.has(word)) found.push(word.slice(0, LONGEST_TERM));
  }
  return found;
}

function spacedTerms(run: string, found: string[]): void {
  const word = fold(run)
    .replace(/['’]s?$/, "")
    .replace(/['’](?=s$)/, "");
  for (const part of word.includes("_") ? [word, ...word.split("_")] : [word]) {
    if (part === "" || stopWords.has(part)) continue;
    found.push((/^[a-z]+$/.test(part) ? stemmer(part) : part).slice(0, LONGEST_TERM));
  }
}

const fold = (word: string): string =>
  word
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/ß/g, "ss")
    .normalize("NFC");
