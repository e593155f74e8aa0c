/** Shorter words are too alike: one letter makes another word of them. */
const SHORTEST_RESPELLED = 4;
/** Longer ones are data; and every letter costs fifty look-ups. */
const LONGEST_RESPELLED = 24;
/** Shortest part of a compound. */
const SHORTEST_PART = 4;

const alphabets = [/^[a-z]+$/, /^\p{Script=Latin}+$/u, /^\p{Script=Cyrillic}+$/u];
const latin = [..."abcdefghijklmnopqrstuvwxyz"];
const germanicAndRomance = [...latin, ..."äöüéèàáçñíóúåæøê"];
const cyrillic = [..."абвгдеёжзийклмнопрстуфхцчшщъыьэюя"];

/**
 * The words one slip of the fingers away: a letter too many, missing, wrong, or two swapped. For looking up which of them the documents know;
 * the word has some 54 for each of its letters. Empty for numbers, short words and scripts that are not typed letter by letter.
 */
export function respellings(word: string): string[] {
  const letters = [...word];
  if (letters.length < SHORTEST_RESPELLED || letters.length > LONGEST_RESPELLED) return [];
  const alphabet = [latin, germanicAndRomance, cyrillic][alphabets.findIndex((each) => each.test(word))];
  if (!alphabet) return [];
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const [head, tail] = [letters.slice(0, at), letters.slice(at)];
    const [next = "", after = "", ...rest] = tail;
    if (next !== "") found.add([...head, ...tail.slice(1)].join(""));
    if (after !== "") found.add([...head, after, next, ...rest].join(""));
    for (const letter of alphabet) {
      if (next !== "") found.add([...head, letter, ...tail.slice(1)].join(""));
      found.add([...head, letter, ...tail].join(""));
    }
  }
  found.delete(word);
  return [...found];
}

/** Ways to read a word as two put together ("Elternzeit|antrag"), with the letters that join them in German left out. */
export function compoundParts(word: string): [string, string][] {
  const letters = [...word];
  if (!/^\p{Script=Latin}+$/u.test(word) || letters.length < 2 * SHORTEST_PART || letters.length > 2 * LONGEST_RESPELLED) return [];
  const found: [string, string][] = [];
  for (let at = SHORTEST_PART; at <= letters.length - SHORTEST_PART; at++) {
    const [first, second] = [letters.slice(0, at).join(""), letters.slice(at).join("")];
    found.push([first, second]);
    const bare = first.replace(/(?:s|es|n|en)$/, "");
    if (bare !== first && bare.length >= SHORTEST_PART) found.push([bare, second]);
  }
  return found;
}
