const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** No real character is longer; a run of combining marks beyond it is cut. */
const LONGEST_GRAPHEME = 64;

/**
 * Splits text that may go on: what surely ends at a character people see, and the last character, which the next piece may
 * still change (a combining mark, the second half of a pair, a joined emoji).
 */
export function wholeGraphemes(text: string): readonly [ready: string, rest: string] {
  const end = text.length;
  if (end < 2) return ["", text];
  // Half a pair: what it will be, and whether it joins the character before it, is not known yet.
  if (isHigh(text.charCodeAt(end - 1))) {
    const [ready, rest] = wholeGraphemes(text.slice(0, -1));
    return [ready, rest + text.slice(-1)];
  }
  // Two plain letters never join; this is the common case and costs nothing.
  if (isPlain(text.charCodeAt(end - 1)) && isPlain(text.charCodeAt(end - 2))) return [text.slice(0, -1), text.slice(-1)];
  const from = Math.max(0, end - LONGEST_GRAPHEME);
  let last = from;
  for (const { index } of segmenter.segment(text.slice(from))) last = from + index;
  if (last > from || end <= LONGEST_GRAPHEME) return [text.slice(0, last), text.slice(last)];
  return [text, ""];
}

const isPlain = (code: number): boolean => code >= 0x20 && code < 0x7f;
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
