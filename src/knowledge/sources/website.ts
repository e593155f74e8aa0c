import { AppError } from "../../core/errors.ts";
import type { DocumentSource, SourceItem } from "./document-source.ts";
import { type FetchedPage, Site, type SiteParts } from "./site.ts";
import { linksOf, readSitemap } from "./web-links.ts";

/** Pages of one site at most; the rest is told. */
const MOST_PAGES = 2_000;
const MOST_SITEMAPS = 50;
const LONGEST_ADDRESS = 2_000;
const tooMany = `The site has more than ${MOST_PAGES.toLocaleString("en")} pages or ${MOST_SITEMAPS} sitemaps. Only the first are read; add its parts as sources of their own.`;
/** Links are looked for in pages up to this size. */
const MOST_LINKED_BYTES = 2 * 1024 * 1024;

/** What pages are made of, not pages. */
const parts = /\.(?:avif|bmp|css|eot|gif|gz|ico|jpe?g|js|json|map|mjs|mov|mp[34]|ogg|otf|png|svg|tgz|ttf|wasm|wav|webm|webp|woff2?)$/i;

/**
 * A web site: the pages of its sitemap that lie below the address; without a sitemap those that can be reached from the address by links,
 * below it as well. The address may be that of a sitemap. Pages that robots.txt forbids are left out.
 */
export function websiteSource(address: string, siteParts: SiteParts): DocumentSource {
  const start = new URL(address);
  const isSitemap = /\.xml(?:\.gz)?$/i.test(start.pathname);
  const below = isSitemap ? "/" : start.pathname.replace(/[^/]*$/, "");

  return {
    async *items(signal, incomplete) {
      const site = new Site(start.origin, siteParts);
      await site.open(signal);
      const mine = (url: string) => {
        const { origin, pathname } = new URL(url);
        return url.length <= LONGEST_ADDRESS && origin === site.origin && pathname.startsWith(below) && !parts.test(pathname);
      };
      const sitemaps = isSitemap ? [start.href] : site.sitemaps().filter((url) => URL.canParse(url) && new URL(url).origin === site.origin);
      const listed = sitemaps.length > 0 ? await sitemapPages(site, sitemaps, signal, incomplete) : [];
      const pages = [...new Set(listed)].filter((url) => URL.canParse(url) && mine(url));
      if (pages.length > MOST_PAGES) incomplete(tooMany);
      if (pages.length > 0) yield* listedPages(site, pages.slice(0, MOST_PAGES));
      else if (isSitemap) throw new AppError("SOURCE_UNREACHABLE", "This address is no sitemap, or lists no page of its own site.");
      else yield* crawl(site, start.href, mine, { signal, incomplete });
    },
  };
}

async function sitemapPages(
  site: Site,
  first: readonly string[],
  signal: AbortSignal,
  incomplete: (why: string) => void,
): Promise<readonly string[]> {
  const pages: string[] = [];
  const waiting = [...first];
  const seen = new Set(waiting);
  for (let read = 0; read < MOST_SITEMAPS && pages.length < MOST_PAGES; read++) {
    const url = waiting.shift();
    if (url === undefined) break;
    const sitemap = await readSitemap((await listing(site, url, signal)) ?? "");
    // Its pages would be taken for gone.
    if (!sitemap) incomplete("A sitemap of the site is missing or damaged.");
    pages.push(...(sitemap?.pages ?? []));
    for (const next of sitemap?.sitemaps ?? []) {
      if (!URL.canParse(next) || new URL(next).origin !== site.origin || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  if (waiting.length > 0) incomplete(tooMany);
  return pages;
}

async function listing(site: Site, url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await site.text(url, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new AppError("SOURCE_UNREACHABLE", "Its sitemap cannot be read.", { cause });
  }
}

async function* listedPages(site: Site, pages: readonly string[]): AsyncGenerator<SourceItem> {
  for (const url of pages) {
    // Looking through a site's rules may take a while: others go first.
    await new Promise((resolve) => setImmediate(resolve));
    if (!site.allows(url)) continue;
    yield { uri: url, name: nameOf(url), read: (known, signal) => site.read(url, known, signal) };
  }
}

/** Page by page, the nearest first. Every page is fetched, since its links must be known. */
async function* crawl(
  site: Site,
  start: string,
  mine: (url: string) => boolean,
  { signal, incomplete }: { readonly signal: AbortSignal; readonly incomplete: (why: string) => void },
): AsyncGenerator<SourceItem> {
  const waiting = [start];
  const seen = new Set(waiting);
  for (let count = 0; count < MOST_PAGES; count++) {
    const url = waiting.shift();
    if (url === undefined) return;
    if (!site.allows(url)) continue;
    let page: FetchedPage | undefined;
    try {
      page = await site.page(url, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      if (url === start)
        throw new AppError("SOURCE_UNREACHABLE", thrown instanceof AppError ? thrown.message : undefined, { cause: thrown });
      incomplete("Pages could not be read, so that those which only they lead to are not known.");
      yield { uri: url, name: nameOf(url), read: () => Promise.reject(thrown) };
      continue;
    }
    if (!page) {
      if (url === start) throw new AppError("SOURCE_UNREACHABLE", "There is no page at this address.");
      yield { uri: url, name: nameOf(url), read: async () => ({ status: "gone" }) };
      continue;
    }
    const { bytes, type } = page;
    yield { uri: url, name: nameOf(url), read: async () => ({ status: "read", bytes }) };
    if (!/html/.test(type) || bytes.length > MOST_LINKED_BYTES) continue;
    for (const link of await linksOf(Buffer.from(bytes).toString("utf8"), page.url)) {
      // Addresses with a query are often the same page in endless forms.
      if (seen.has(link) || new URL(link).search !== "" || !mine(link)) continue;
      seen.add(link);
      waiting.push(link);
    }
  }
  if (waiting.length > 0) incomplete(tooMany);
}

/** A file name for the format to be known by; pages mostly have none. */
function nameOf(url: string): string {
  const { pathname } = new URL(url);
  const last = decodable(pathname.split("/").filter(Boolean).at(-1) ?? "index");
  return /\.\w{1,8}$/.test(last) ? last : `${last}.html`;
}

function decodable(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
