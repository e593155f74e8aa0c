import { readDate } from "./dates.ts";

/** How much of a page is looked at, in characters: what says when it was published stands at its top. */
const LOOKED_AT = 200_000;

/** Names under which pages tell when they were published, best first. */
const names = [
  "article:published_time",
  "datepublished",
  "date",
  "dc.date",
  "dc.date.issued",
  "dcterms.date",
  "dcterms.created",
  "citation_publication_date",
  "pubdate",
  "article:modified_time",
  "last-modified",
];

/** When a web page says it was published: in its head, its structured data or its first time element. */
export function publishedDate(html: string, now: Date): Date | undefined {
  const top = html.slice(0, LOOKED_AT);
  const said = new Map<string, string>();
  for (const [tag] of top.matchAll(/<meta\s[^>]{1,500}>/gi)) {
    const name = attribute(tag, "property") ?? attribute(tag, "name") ?? attribute(tag, "itemprop");
    const content = attribute(tag, "content");
    if (name !== undefined && content !== undefined && !said.has(name.toLowerCase())) said.set(name.toLowerCase(), content);
  }
  const structured = /"datePublished"\s{0,5}:\s{0,5}"([^"]{1,40})"/.exec(top)?.[1];
  const element = /<time\s[^>]{0,200}?datetime\s?=\s?["']([^"'>]{1,40})["']/i.exec(top)?.[1];
  for (const words of [said.get("article:published_time"), structured, ...names.map((name) => said.get(name)), element]) {
    const date = readDate(words, now);
    if (date) return date;
  }
  return undefined;
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s?=\\s?(?:"([^"]{0,200})"|'([^']{0,200})')`, "i")
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined);
