import { countTokens } from "../../core/tokens.ts";

/** Text is counted in pieces, because the tokenizer's time grows faster than the length of a word without spaces. */
const PIECE = 2_000;
/** Beyond this many characters the rest is taken to be like the beginning. */
const SAMPLE = 20_000;

/** About how many tokens a text has for a model of today. Never throws, whatever the text. */
export function estimateTokens(text: string): number {
  const sample = text.slice(0, SAMPLE);
  let tokens = 0;
  for (let at = 0; at < sample.length; at += PIECE) tokens += countTokens(sample.slice(at, at + PIECE));
  return sample.length === text.length ? tokens : Math.ceil((tokens * text.length) / sample.length);
}
