import { visibleText } from "../core/visible-text.ts";

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
};

/** A piece of text that may hold tags and entities, as one line without them, cut at a length. */
export function plainText(text: string, longest: number): string {
  const plain = text
    .slice(0, longest * 4)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "";
    });
  const line = visibleText(plain).replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}
