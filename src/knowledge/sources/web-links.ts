import { Parser } from "htmlparser2";

/** The addresses that a page links to, absolute and without fragments; those that cannot be read are left out. */
export async function linksOf(html: string, page: string): Promise<readonly string[]> {
  const found = new Set<string>();
  let base = page;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "base" && attributes.href && base === page) base = absolute(attributes.href, page) ?? page;
      const link = (name === "a" || name === "area") && attributes.href ? absolute(attributes.href, base) : undefined;
      if (link) found.add(link);
    },
  });
  await feed(parser, html);
  return [...found];
}

export interface Sitemap {
  /** Addresses of pages. */
  readonly pages: readonly string[];
  /** Addresses of further sitemaps. */
  readonly sitemaps: readonly string[];
}

/** What a sitemap lists (sitemaps.org, version 0.9), or undefined when the text is none. */
export async function readSitemap(xml: string): Promise<Sitemap | undefined> {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  const path: string[] = [];
  let kind: string | undefined;
  let text = "";
  const parser = new Parser(
    {
      onopentag(name) {
        const local = name.replace(/^.*:/, "");
        kind ??= local;
        path.push(local);
        text = "";
      },
      ontext(more) {
        text += more;
      },
      onclosetag() {
        const [parent, own] = path.slice(-2);
        if (own === "loc" && parent === "url") pages.push(text.trim());
        if (own === "loc" && parent === "sitemap") sitemaps.push(text.trim());
        path.pop();
        text = "";
      },
    },
    { xmlMode: true },
  );
  await feed(parser, xml);
  return kind === "urlset" || kind === "sitemapindex" ? { pages, sitemaps } : undefined;
}

/** Characters that are read before something else may run: a large page must not hold up answers. */
const AT_ONCE = 64 * 1024;

async function feed(parser: Parser, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += AT_ONCE) {
    parser.write(text.slice(at, at + AT_ONCE));
    await new Promise((resolve) => setImmediate(resolve));
  }
  parser.end();
}

function absolute(link: string, base: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined;
  const url = new URL(link, base);
  url.hash = "";
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
