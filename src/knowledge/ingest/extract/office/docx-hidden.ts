/** The namespaces of Word's markup: as Word writes it, and the strict form of the standard. */
const NAMESPACES = ["http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main"];

/**
 * Word's markup without text that a reader of the document does not see: marked as hidden, set in type of a point or less, or white where
 * nothing in the document has a background. Word's own deletions are left to the converter.
 * @param shaded whether any part of the document paints a background, on which white text can be read
 */
export function withoutHiddenRuns(xml: string, shaded: boolean): string {
  const prefixes = wordPrefixes(xml);
  if (prefixes.length === 0) return xml;
  const name = (local: string): string => `(?:${prefixes.map((prefix) => (prefix === "" ? "" : `${prefix}:`)).join("|")})${local}`;
  const runTag = new RegExp(`<(/?)${name("r")}(?=[\\s/>])[^>]*>`, "g");
  const vanish = new RegExp(`<${name("(?:vanish|specVanish|webHidden)")}(?=[\\s/>])([^>]*)>`);
  const tiny = new RegExp(`<${name("sz")}\\s[^>]*?val\\s*=\\s*["'][012]["']`);
  const white = new RegExp(`<${name("color")}\\s[^>]*?val\\s*=\\s*["']f[c-f]f[c-f]f[c-f]["']`, "i");
  const properties = new RegExp(`^\\s*<${name("rPr")}(?=[\\s/>])[^>]*>[\\s\\S]*?</${name("rPr")}\\s*>`);
  const isHidden = (run: string): boolean => {
    const own = properties.exec(run)?.[0] ?? "";
    const mark = vanish.exec(own);
    if (mark && !/val\s*=\s*["'](?:0|false|off)["']/.test(mark[1] ?? "")) return true;
    return tiny.test(own) || (!shaded && white.test(own));
  };
  return cut(xml, hiddenRanges(xml, runTag, isHidden));
}

/** Every prefix that is bound to Word's namespace anywhere, escaped for a pattern; "" for the default namespace. */
function wordPrefixes(xml: string): string[] {
  const found = new Set<string>();
  for (const [, prefix = "", address = ""] of xml.matchAll(/\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']/g)) {
    if (NAMESPACES.includes(address)) found.add(prefix.replace(/[.-]/g, "\\$&"));
  }
  return [...found];
}

type Range = readonly [from: number, to: number];

/** Runs can hold runs (in text boxes), so the innermost open one is the one that ends. */
function hiddenRanges(xml: string, runTag: RegExp, isHidden: (run: string) => boolean): Range[] {
  const open: { from: number; inside: number }[] = [];
  const ranges: Range[] = [];
  for (const tag of xml.matchAll(runTag)) {
    const after = tag.index + tag[0].length;
    if (tag[1] === "") {
      if (!tag[0].endsWith("/>")) open.push({ from: tag.index, inside: after });
      continue;
    }
    const run = open.pop();
    if (run && isHidden(xml.slice(run.inside, tag.index))) ranges.push([run.from, after]);
  }
  return ranges;
}

function cut(xml: string, ranges: readonly Range[]): string {
  let text = "";
  let at = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from < at) continue;
    text += xml.slice(at, from);
    at = to;
  }
  return text + xml.slice(at);
}
