import { isAscii, isUtf8 } from "node:buffer";

/**
 * Text of bytes in whatever encoding they most likely are. Wrong bytes become U+FFFD; nothing throws.
 * @param declared the encoding that the file names itself, believed where the bytes do not speak against it
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = byOrderMark(bytes);
  if (marked) return decode(bytes, marked);
  const stated = declared === undefined ? undefined : decodeStrictly(bytes, declared);
  if (stated !== undefined) return stated;
  const wide = withoutOrderMark(bytes);
  if (wide) return decode(bytes, wide);
  if (["\u001b$@", "\u001b$B"].some((sequence) => latin(bytes).includes(sequence))) return decode(bytes, "iso-2022-jp");
  const utf8 = decode(bytes, "utf-8");
  if (isMostlyUtf8(bytes, utf8)) return utf8;
  return bestLegacy(bytes);
}

const decode = (bytes: Uint8Array, encoding: string): string =>
  encoding === "windows-1252" ? decodeWestern(bytes) : new TextDecoder(encoding).decode(bytes);

/** What Windows has from 0x80 to 0x9F, where ISO 8859-1 has controls. Five places are empty. */
const WESTERN =
  "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178";

/** Text in Windows' Western European code page. Node 20's own decoder takes it for ISO 8859-1, which loses its quotation marks and dashes. */
export const decodeWestern = (bytes: Uint8Array): string =>
  latin(bytes).replace(/[\u0080-\u009F]/g, (sign) => WESTERN[sign.charCodeAt(0) - 0x80] ?? sign);

const latin = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/**
 * Undefined when the encoding is unknown, is UTF-16 (a file that could name it is none), or does not fit the bytes. Text that is valid
 * UTF-8 beyond ASCII is that, whatever it says.
 */
function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  if (/^utf-?16/i.test(encoding) || (isUtf8(bytes) && !isAscii(bytes))) return undefined;
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return decoder.encoding === "windows-1252" ? decodeWestern(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function byOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** UTF-16 without a mark: in most texts nearly every other byte is zero, always on the same side. */
function withoutOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, 4096);
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte === 0) index % 2 === 0 ? even++ : odd++;
  });
  const half = sample.length / 2;
  if (odd > half * 0.3 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.3 && odd < half * 0.05) return "utf-16be";
  return undefined;
}

/** A few damaged bytes in a text with many valid multi-byte characters do not make it another encoding. */
function isMostlyUtf8(bytes: Uint8Array, decoded: string): boolean {
  const broken = decoded.split("\uFFFD").length - 1;
  if (broken === 0) return true;
  let lead = 0;
  for (const byte of bytes) if (byte >= 0xc2 && byte <= 0xf4) lead++;
  return lead - broken >= broken * 10;
}

/** Older encodings in order of preference when two fit equally well. */
const legacy = ["windows-1252", "shift_jis", "euc-jp", "big5", "gb18030", "euc-kr", "windows-1251", "koi8-r", "windows-1255"] as const;

function bestLegacy(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 65_536);
  let best = decode(bytes, "windows-1252");
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const encoding of legacy) {
    const score = plausibility(decode(sample, encoding), sample, encoding);
    if (score <= bestScore) continue;
    bestScore = score;
    best = decode(bytes, encoding);
  }
  return best;
}

/** Lead bytes of each encoding's everyday characters: a wrong guess mostly lands outside. */
const everydayLead: Readonly<Record<string, readonly [number, number][]>> = {
  shift_jis: [
    [0x81, 0x84],
    [0x88, 0x97],
  ],
  "euc-jp": [
    [0xa1, 0xa5],
    [0xb0, 0xcf],
  ],
  big5: [[0xa1, 0xc6]],
  gb18030: [
    [0xa1, 0xa3],
    [0xb0, 0xd7],
  ],
  "euc-kr": [
    [0xa1, 0xa3],
    [0xb0, 0xc8],
  ],
};

/** How much a decoded sample looks like language: per non-ASCII byte, from about -10 to 2. */
function plausibility(text: string, bytes: Uint8Array, encoding: string): number {
  const high = Math.max(1, bytes.filter((byte) => byte >= 0x80).length);
  const lead = everydayLead[encoding];
  const score = lead ? multiByteScore(text, bytes, lead, encoding) : singleByteScore(text);
  return (score - 10 * (text.match(/[\uFFFD\u0080-\u009F\uE000-\uF8FF]/g)?.length ?? 0)) / high;
}

function multiByteScore(text: string, bytes: Uint8Array, everyday: readonly [number, number][], encoding: string): number {
  let score = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    score += everyday.some(([low, up]) => byte >= low && byte <= up) ? 2 : -2;
    at++;
  }
  const kana = text.match(/[\u3040-\u30FF]/g)?.length ?? 0;
  const halfWidthKana = text.match(/[\uFF61-\uFF9F]/g)?.length ?? 0;
  const japanese = encoding === "shift_jis" || encoding === "euc-jp";
  return score + (japanese ? kana : -kana) - 4 * halfWidthKana;
}

function singleByteScore(text: string): number {
  let score = 0;
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const foreign = word.match(/\P{ASCII}/gu)?.length ?? 0;
    if (foreign === 0) continue;
    const oneScript = /^(?:[\p{Script=Cyrillic}]+|[\p{Script=Hebrew}\p{M}]+|[\p{Script=Latin}]+)$/u.test(word);
    const cased = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lo}\p{M}]+)$/u.test(word);
    const accentsAlone = /[\u00AA-\u017F]{3}/.test(word);
    score += foreign * (oneScript && cased && !accentsAlone ? (/\p{Script=Latin}/u.test(word) ? 1.2 : 1.5) : -1);
  }
  return score - 0.5 * (text.match(/[\u00A1-\u00BF\u2500-\u25FF]/g)?.length ?? 0);
}
