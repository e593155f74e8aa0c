import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Clock } from "../../../src/core/clock.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { checkAddress } from "../../../src/knowledge/sources/open-source.ts";
import type { StoredSource } from "../../../src/knowledge/sources/source-store.ts";
import { websiteSource } from "../../../src/knowledge/sources/website.ts";
import { OutsideWorld } from "../../fakes/outside-world.ts";
import { openSources, type SourceFixture } from "./source-fixture.ts";

/** What a path of the made-up site answers. */
interface Page {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

const html = (title: string, text: string, links: readonly string[] = []): Page => ({
  body: `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p>${links
    .map((link) => `<a href="${link}">more</a>`)
    .join("")}</main></body></html>`,
});
const sitemap = (...pages: string[]): Page => ({
  type: "application/xml",
  body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.map((page) => `<url><loc>${page}</loc></url>`).join("")}</urlset>`,
});

/** Delays are noted, not waited for. */
const waited: number[] = [];
const quick: Clock = { ...systemClock, sleep: async (ms) => void waited.push(ms) };

let at: SourceFixture;
let world: OutsideWorld;
let site: Map<string, Page>;
let address: string;
let tenant: TenantId;
let source: StoredSource;
beforeAll(async () => {
  at = await openSources("embedded", () => websiteSource(address, { fetch: world.fetch, clock: quick }));
});
afterAll(() => at.test.close());
beforeEach(async () => {
  world = await OutsideWorld.start();
  site = new Map();
  waited.length = 0;
  address = "https://docs.example/guide/";
  world.handle = (request, response, visit) => {
    const page = site.get(new URL(visit.url).pathname);
    if (!page) return void response.writeHead(404, { "content-type": "text/html" }).end("<html>no</html>");
    const headers: Record<string, string> = { "content-type": page.type ?? "text/html; charset=utf-8", ...page.headers };
    if (headers.etag && request.headers["if-none-match"] === headers.etag) return void response.writeHead(304, headers).end();
    response.writeHead(page.status ?? 200, headers).end(page.body ?? "");
  };
  tenant = await at.test.addTenant();
  source = await at.addSource(tenant);
});
afterEach(() => world.stop());

const sync = () => at.sync(tenant, source);
const asked = () => world.visits.map(({ url }) => new URL(url).pathname);

describe("a website as a source", () => {
  test("without a sitemap, the pages that can be reached by links are read: below the address, on the same site, each once", async () => {
    site.set(
      "/guide/",
      html("Start", "Welcome.", ["leave", "/guide/leave#top", "/shop", "https://elsewhere.example/guide/x", "logo.png", "leave?lang=de"]),
    );
    site.set("/guide/leave", html("Leave", "Eighteen weeks.", ["/guide/", "deep/pay.html"]));
    site.set("/guide/deep/pay.html", html("Pay", "On the 25th."));
    site.set("/shop", html("Shop", "Buy."));
    expect(await sync()).toMatchObject({ status: "ok", added: 3 });
    expect(await at.titles(tenant)).toEqual(["Leave", "Pay", "Start"]);
    expect(asked()).toEqual(["/robots.txt", "/guide/", "/guide/leave", "/guide/deep/pay.html"]);
  });

  test("the sitemap that robots.txt names is read, packed ones and lists of sitemaps too; other sites' pages are not", async () => {
    site.set("/robots.txt", { type: "text/plain", body: "Sitemap: https://docs.example/maps.xml" });
    site.set("/maps.xml", {
      type: "application/xml",
      body: '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://docs.example/a.xml.gz</loc></sitemap></sitemapindex>',
    });
    const packed = sitemap("https://docs.example/guide/a?x=1&amp;y=2", "https://docs.example/other/b", "https://elsewhere.example/guide/c");
    site.set("/a.xml.gz", { type: "application/gzip", body: gzipSync(packed.body as string) });
    site.set("/guide/a", html("A", "First."));
    expect(await sync()).toMatchObject({ status: "ok", added: 1 });
    expect(world.visits.at(-1)?.url).toContain("/guide/a?x=1&y=2");
  });

  test("what robots.txt forbids is not asked for, and requests keep the delay it names", async () => {
    site.set("/robots.txt", { type: "text/plain", body: "User-agent: Footnote\nDisallow: /guide/private\nCrawl-delay: 3" });
    site.set("/guide/", html("Start", "Welcome.", ["private/x", "open"]));
    site.set("/guide/open", html("Open", "For all."));
    site.set("/guide/private/x", html("Private", "Not for robots."));
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    expect(asked()).not.toContain("/guide/private/x");
    expect(Math.max(...waited)).toBeGreaterThan(2_000);
  });

  test("a page that did not change is not sent again; one that is gone is removed; one in trouble stays", async () => {
    site.set("/robots.txt", { type: "text/plain", body: "Sitemap: https://docs.example/map.xml" });
    site.set("/map.xml", sitemap("https://docs.example/guide/a", "https://docs.example/guide/b", "https://docs.example/guide/c"));
    site.set("/guide/a", { ...html("A", "First."), headers: { etag: '"1"' } });
    site.set("/guide/b", html("B", "Second."));
    site.set("/guide/c", html("C", "Third."));
    expect(await sync()).toMatchObject({ added: 3 });
    site.delete("/guide/b");
    site.set("/guide/c", { status: 503 });
    expect(await sync()).toMatchObject({ status: "partial", unchanged: 1, removed: 1, failed: 1 });
    expect(world.visits.filter(({ headers }) => headers["if-none-match"] === '"1"')).toHaveLength(1);
    expect(await at.titles(tenant)).toEqual(["A", "C"]);
    site.set("/guide/c", html("C", "Third, and more."));
    expect(await sync()).toMatchObject({ status: "ok", changed: 1, unchanged: 1 });
  });

  test("while a page is in trouble, the pages that only it leads to stay; once it is back, what it no longer links to goes", async () => {
    site.set("/guide/", html("Start", "Welcome.", ["hub"]));
    site.set("/guide/hub", html("Hub", "All.", ["a", "b"]));
    site.set("/guide/a", html("A", "First."));
    site.set("/guide/b", html("B", "Second."));
    expect(await sync()).toMatchObject({ status: "ok", added: 4 });
    site.set("/guide/hub", { status: 503 });
    expect(await sync()).toMatchObject({ status: "partial", failed: 1, removed: 0, notes: [expect.stringContaining("could not be read")] });
    site.set("/guide/hub", html("Hub", "All.", ["a"]));
    expect(await sync()).toMatchObject({ status: "ok", removed: 1 });
    expect(await at.titles(tenant)).toEqual(["A", "Hub", "Start"]);
  });

  test("while one of several sitemaps is missing, its pages stay", async () => {
    site.set("/robots.txt", { type: "text/plain", body: "Sitemap: https://docs.example/1.xml\nSitemap: https://docs.example/2.xml" });
    site.set("/1.xml", sitemap("https://docs.example/guide/a"));
    site.set("/2.xml", sitemap("https://docs.example/guide/b"));
    site.set("/guide/a", html("A", "First."));
    site.set("/guide/b", html("B", "Second."));
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    site.delete("/2.xml");
    expect(await sync()).toMatchObject({ status: "partial", removed: 0, unchanged: 1, notes: [expect.stringContaining("sitemap")] });
    expect(await at.titles(tenant)).toEqual(["A", "B"]);
  });

  test.each([
    ["its robots.txt cannot be had", "/robots.txt"],
    ["its sitemap cannot be had", "/map.xml"],
    ["its first page cannot be had", "/guide/"],
  ])("when %s, nothing is changed", async (_, path) => {
    if (path === "/map.xml") site.set("/robots.txt", { type: "text/plain", body: "Sitemap: https://docs.example/map.xml" });
    site.set("/map.xml", sitemap("https://docs.example/guide/"));
    site.set("/guide/", html("Start", "Welcome."));
    expect(await sync()).toMatchObject({ status: "ok", added: 1 });
    site.set(path, { status: 500 });
    if (path === "/guide/") site.delete("/map.xml");
    expect(await sync()).toMatchObject({ status: "failed", removed: 0 });
    expect(await at.titles(tenant)).toEqual(["Start"]);
  });

  test("a page that leads to another site is not taken for this one's, and an inner address is never reached", async () => {
    site.set("/guide/", html("Start", "Welcome.", ["away"]));
    site.set("/guide/away", { status: 302, headers: { location: "https://elsewhere.example/guide/x" } });
    site.set("/guide/x", html("Elsewhere", "Not ours."));
    expect(await sync()).toMatchObject({ status: "partial", added: 1, failed: 1 });
    expect(await at.titles(tenant)).toEqual(["Start"]);
    address = "http://169.254.169.254/";
    expect(await sync()).toMatchObject({ status: "failed" });
    expect(world.connections.filter((connection) => connection.startsWith("169"))).toEqual([]);
  });

  test.each(["ftp://docs.example/", "docs.example", "https://ann:secret@docs.example/"])("%s is no website's address", (wrong) => {
    expect(() => checkAddress({ kind: "website", address: wrong })).toThrow(expect.objectContaining({ code: "SOURCE_INVALID" }));
    expect(() => checkAddress({ kind: "website", address: "https://docs.example/" })).not.toThrow();
  });
});
