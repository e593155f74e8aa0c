/**
 * Removes characters that people cannot see but models read: they can carry instructions or smuggle text out.
 * Kept: flag emoji made of tags, joiners inside emoji and in scripts that spell with them, right-to-left text itself.
 */
export function visibleText(text: string): string {
  return text
    .normalize("NFC")
    .replace(presentationForms, (form) => form.normalize("NFKC"))
    .replace(flagTags, (_run, flag: string | undefined) => flag ?? "")
    .replace(invisible, "")
    .replace(joiner, (mark, at: number, all: string) => (joins(all, at) ? mark : ""))
    .replace(strayVariation, "$1");
}

/** Ligatures and positional letters of PDFs (fi, Arabic forms): one meaning, several code points, so search would miss them. */
const presentationForms = /[\uFB00-\uFB4F\uFB50-\uFDFF\uFE70-\uFEFC]+/g;

/**
 * Tag characters. Group 1 is one of the three flags that fonts draw (England, Scotland, Wales); other sequences show nothing but a
 * black flag and could spell anything.
 */
const flagTags = new RegExp(
  `(${["gbeng", "gbsct", "gbwls"].map((code) => `\u{1F3F4}${asTags(code)}\u{E007F}`).join("|")})|[\u{E0000}-\u{E007F}]+`,
  "gu",
);

function asTags(code: string): string {
  return Array.from(code, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
}

/**
 * Controls except tab and line feed, soft hyphens, zero-width spaces, bidirectional controls, byte order marks, fillers,
 * the variation selectors of plane 14, and private interlinear marks.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL and its like are what is removed
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points are meant
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0100}-\u{E01EF}]/gu;

const joiner = /[\u200C\u200D]/g;

/** Scripts in whose spelling a joiner or non-joiner makes a difference. */
const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]$/u;
const emoji = /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;

function joins(all: string, at: number): boolean {
  const before = all.slice(Math.max(0, at - 2), at);
  const after = String.fromCodePoint(all.codePointAt(at + 1) ?? 0);
  return (joiningScript.test(before) && joiningScript.test(after)) || (emoji.test(before) && /^\p{Extended_Pictographic}/u.test(after));
}

/** A variation selector is kept only directly after a symbol, and only one: longer runs encode bytes. */
const strayVariation = /((?:[\p{Extended_Pictographic}\p{Sm}#*0-9][\uFE0E\uFE0F])?)[\uFE00-\uFE0F]*/gu;
