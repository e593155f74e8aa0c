const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|\uFE0F/u;

/** The characters as readers count them: no emoji or accent is ever cut. */
export const splitGraphemes = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Columns a text takes in a monospaced font, where Chinese, Japanese, Korean and emoji take two. */
export const columns = (text: string): number =>
  /^[\x20-\x7E]*$/.test(text) ? text.length : splitGraphemes(text).reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0);

/** The text filled with spaces to a width in columns. */
export function pad(text: string, width: number, align: "left" | "right" | "center"): string {
  const room = Math.max(0, width - columns(text));
  const left = align === "right" ? room : align === "center" ? room >> 1 : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}
