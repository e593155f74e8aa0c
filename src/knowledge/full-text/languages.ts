import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as english } from "stemmer";
import { stopWordsOf } from "./stop-words.ts";

/** Languages whose endings are removed. Words of any other language are indexed as they stand. */
export type Language = "ar" | "da" | "de" | "en" | "es" | "fi" | "fr" | "it" | "nl" | "no" | "pt" | "ru" | "sv";

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  ar: arabic,
  da: danish,
  de: german,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  it: italian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ru: russian,
  sv: swedish,
};

/** Languages that share the Latin alphabet: only their commonest words tell them apart. */
export const latinLanguages: readonly Language[] = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi"];

/** A word without its endings. The word is in lower case, accents kept: some endings are told by them. */
export const stem = (word: string, language: Language): string => stemmers[language](word);

/** Letters looked at: enough of any text to tell its language. */
const LOOKED_AT = 2_000;
/** Of so many words one must be a language's commonest; a list of names in "Los Angeles" is not Spanish. */
const WORDS_PER_STOP_WORD = 8;
/** So many different ones are enough for a text of any length. */
const ENOUGH_STOP_WORDS = 4;

/** Letters that English has not. They only decide between languages whose common words are equally many: names bring them along. */
const ownLetters: Partial<Record<Language, RegExp>> = {
  de: /[äöüß]/,
  fr: /[àâçèêëîïôœùû]/,
  es: /[ñ¿¡áíóú]/,
  it: /[àèìòù]/,
  pt: /[ãõçâê]/,
  sv: /[åäö]/,
  da: /[æøå]/,
  no: /[æøå]/,
  fi: /[äö]/,
};
const OWN_LETTERS_WORTH = 0.5;

/**
 * The language a text is written in, told by its alphabet and its commonest words; undefined where these say nothing, as in a query of
 * two names. Half a sentence is enough.
 */
export function languageOf(text: string): Language | undefined {
  const start = text.slice(0, LOOKED_AT).toLowerCase();
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const share = (script: RegExp) => (start.match(script)?.length ?? 0) / Math.max(1, letters);
  if (share(/\p{Script=Arabic}/gu) > 0.5) return "ar";
  if (share(/\p{Script=Cyrillic}/gu) > 0.5) return "ru";
  if (share(/\p{Script=Latin}/gu) <= 0.5) return undefined;
  const words = start.match(/[\p{L}\p{M}]+/gu) ?? [];
  const distinct = [...new Set(words)];
  const evidence = latinLanguages.map((language) => {
    const count = distinct.filter((word) => stopWordsOf(language).has(word)).length;
    return { language, count: count + (count > 0 && ownLetters[language]?.test(start) ? OWN_LETTERS_WORTH : 0) };
  });
  // Sorting keeps the order of languages that are equal; where English is one of these, nothing is known.
  const [best, second] = evidence.sort((a, b) => b.count - a.count);
  const enough = Math.min(ENOUGH_STOP_WORDS, Math.max(1, words.length / WORDS_PER_STOP_WORD));
  if (!best || best.count < enough) return undefined;
  return best.language === "en" && second?.count === best.count ? undefined : best.language;
}
