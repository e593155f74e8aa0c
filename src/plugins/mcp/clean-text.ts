/**
 * Characters that show nothing and can carry something: controls (line ends and tabs stay), direction marks, zero width, tags. The flags
 * of parts of countries are written with tags and stay.
 */
const hidden =
  /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F})|(?![\n\r\t])\p{Cc}|[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E0FFF}]/gu;

/** A server's text without hidden characters. */
export const cleanText = (text: string): string => text.normalize("NFC").replace(hidden, "$1");

/** The same in at most `limit` characters, cut at a character's boundary with a mark. */
export function shortText(text: string, limit: number): string {
  const clean = cleanText(text);
  if (clean.length <= limit) return clean;
  const end = /[\uD800-\uDBFF]/.test(clean[limit - 2] ?? "") ? limit - 2 : limit - 1;
  return `${clean.slice(0, end)}…`;
}
