import { countTokens as count } from "gpt-tokenizer";

/** Length of a text in tokens, as language models count. Text that looks like a special token is counted as the text it is. */
export const countTokens = (text: string): number => count(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
