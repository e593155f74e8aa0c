import { leastTokens, mostTokens } from "../../../agent/templates/check-template.ts";

/** What the letter behind a number stands for. */
const factors: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000, g: 1_000_000_000 };

/**
 * A number of tokens as somebody types it: "5,000,000", "5.000.000", "5 000 000", "2.5M", "250k".
 * @returns undefined for an empty text, which means no limit; "wrong" when it is no number that a budget can have
 */
export function readTokens(typed: string): number | undefined | "wrong" {
  const text = typed.trim().toLowerCase();
  if (text === "") return undefined;
  const [, number = "", unit = ""] = /^([\d.,'\s\u00A0\u202F]+?)\s*([kmg]?)$/.exec(text) ?? [];
  // Behind a group mark stand three digits; a decimal mark needs a unit behind the number, since half a token is none.
  const groups = /^\d{1,3}(?:[.,'\s\u00A0\u202F]\d{3})+$/.test(number);
  const plain = groups && unit === "" ? number.replace(/\D/g, "") : number.replace(",", ".");
  const tokens = Math.round(Number(plain || Number.NaN) * (factors[unit] ?? 1));
  return Number.isSafeInteger(tokens) && tokens >= leastTokens && tokens <= mostTokens ? tokens : "wrong";
}

/** A number as people of a language write it. */
export const written = (count: number, language: string): string => new Intl.NumberFormat(language).format(count);
