const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|\uFE0F/u;

/** Before the first accent that joins what stands before it, nothing does but a line end's two halves: most text needs no segmenter. */
const firstJoining = 0x300;

/** The characters as readers count them: no emoji or accent is ever cut. */
export function splitGraphemes(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = from;
    // What follows may belong to the last plain character, so that one is left to the segmenter.
    while (to < text.length && isPlain(text, to)) to += 1;
    if (to < text.length && to > from) to -= 1;
    for (let at = from; at < to; at += 1) found.push(text.charAt(at));
    from = to;
    while (to < text.length && !(to > from && isPlain(text, to - 1) && isPlain(text, to))) to += 1;
    for (const { segment } of graphemes.segment(text.slice(from, to))) found.push(segment);
    from = to;
  }
  return found;
}

const isPlain = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code < firstJoining && code !== 0x0d;
};

/** Columns a text takes in a monospaced font, where Chinese, Japanese, Korean and emoji take two. */
export const columns = (text: string): number =>
  /^[\x20-\x7E]*$/.test(text) ? text.length : splitGraphemes(text).reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0);

/** The text filled with spaces to a width in columns. */
export function pad(text: string, width: number, align: "left" | "right" | "center"): string {
  const room = Math.max(0, width - columns(text));
  const left = align === "right" ? room : align === "center" ? room >> 1 : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}
