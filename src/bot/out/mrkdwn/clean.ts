/** Marks a place for our own parser; a private-use character that never stays in a text. */
export const sentinel = "\uE000";

// Characters that show nothing but carry text past a reader's eyes: soft hyphen, joiners, zero-width spaces, bidi controls, fillers,
// Mongolian and interlinear controls, tag characters, variation selectors beyond the two for emoji.
const hidden =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each code point is meant alone
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uE000]/g;
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// What may stay: regional flags (black flag, tag letters, end tag), joiners inside an emoji, and joiners between letters of scripts that need them.
const flag = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,8}\u{E007F}/gu;
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each code point is meant alone
const emojiPart = /[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\uFE0F]/u;
const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

/** The text without hidden or control characters, in NFC, with \n as the only line end. Real emoji and real scripts are untouched. */
export function clean(text: string): string {
  const plain = text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(control, "")
    .replace(loneSurrogate, "\uFFFD")
    .normalize("NFC");
  if (plain.search(hidden) < 0) return plain;
  const keep = new Set<number>();
  for (const match of plain.matchAll(flag)) for (let at = match.index; at < match.index + match[0].length; at++) keep.add(at);
  return plain.replace(hidden, (char: string, at: number) => (keep.has(at) || belongs(char, plain, at) ? char : ""));
}

function belongs(char: string, text: string, at: number): boolean {
  const before = charBefore(text, at);
  const after = charAt(text, at + char.length);
  if (char === "\uFE0F" || char === "\uFE0E") return /[\p{Extended_Pictographic}\d#*]/u.test(before);
  if (char === "\u200D" && emojiPart.test(before) && /\p{Extended_Pictographic}/u.test(after)) return true;
  return (char === "\u200D" || char === "\u200C") && joiningScript.test(before) && joiningScript.test(after);
}

const charAt = (text: string, at: number): string => (at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "");

function charBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}
