import { decodeWestern } from "../encoding.ts";

/** Encodings by Windows' number of the code page, as far as Node knows them. */
const PAGES: Readonly<Record<number, string>> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

/** Code pages by the number of a font's character set. */
const CHARSETS: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export const pageOfCharset = (charset: number): number | undefined => CHARSETS[charset];

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** Text of bytes in a code page; Western European where the page is unknown. */
export function decodePage(bytes: readonly number[] | Uint8Array, page: number | undefined): string {
  if (page === undefined || page === 1252) return decodeWestern(Uint8Array.from(bytes));
  const name = PAGES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : undefined);
  if (name === undefined) return decodeWestern(Uint8Array.from(bytes));
  const decoder = decoders.get(name) ?? new TextDecoder(name);
  decoders.set(name, decoder);
  return decoder.decode(Uint8Array.from(bytes));
}
