import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Settings, Tool, ToolContext } from "../../../../src/plugins/contract.ts";
import { webSearch } from "../../../../src/plugins/web/tools/web-search.ts";
import { Web } from "../../../../src/plugins/web/web.ts";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { OutsideWorld } from "../../../fakes/outside-world.ts";
import { contextFor, globex } from "../../../fakes/tool-context.ts";
import { searchServices, services } from "../recorded.ts";

const internalOrigins = ["http://searxng.internal:8080"];
const now = new Date("2026-11-30T12:00:00.000Z");
let passed = 0;
const clock = { now: () => now, monotonic: () => passed, sleep: () => new Promise<void>(() => undefined) };
const settings = { brave_key: "brave-canary" };

let world: OutsideWorld;
let tool: Tool;
beforeEach(async () => {
  passed = 0;
  world = await OutsideWorld.start({ internalOrigins });
  searchServices(world);
  const web = new Web({ safeFetch: world.fetch, reader: { extract: () => Promise.reject(new Error("No page is read here.")) } });
  tool = webSearch(async () => web);
});
afterEach(() => world.stop());

const context = (changes: Partial<ToolContext> = {}) => contextFor(["everyone"], { settings, clock, ...changes });
const search = (params: object = {}, changes: Partial<ToolContext> = {}) =>
  tool.execute({ query: "node release", ...params }, context(changes));

toolContract("web_search", () => ({
  tool,
  good: { query: "node release" },
  bad: [
    {},
    { query: "" },
    { query: "x".repeat(201) },
    { query: "x", limit: 0 },
    { query: "x", limit: 11 },
    { query: "x", within: "century" },
    { query: ["x"] },
    null,
  ],
  context: (signal) => context({ signal }),
  hang: () => {
    world.handle = () => undefined;
  },
}));

describe.each(services)("$name", ({ name, settings, asked }) => {
  test("is asked as its interface wants it, and its results are sources with title, address, snippet, date and time of retrieval", async () => {
    const { content, metadata } = await search({ within: "week" }, { settings });
    expect(content).toBe(`2 results from ${name}, retrieved 2026-11-30 12:00 UTC.`);
    expect(metadata.sources).toEqual([
      {
        id: "https://nodejs.example/blog/26",
        url: "https://nodejs.example/blog/26",
        title: "Node.js 26 is here",
        passage: "Node.js 26 brings a faster start.",
        timestamp: "2026-11-28T12:00:00.000Z",
        retrievedAt: now.toISOString(),
        relevance: 1,
      },
      {
        id: "https://nodejs.example/releases",
        url: "https://nodejs.example/releases",
        title: "Releases",
        passage: "All releases & dates.",
        timestamp: "2026-11-03T00:00:00.000Z",
        retrievedAt: now.toISOString(),
        relevance: 0.91,
      },
    ]);
    expect(world.visits).toHaveLength(1);
    expect(world.visits[0]).toMatchObject(asked);
  });

  test.each([
    [401, /does not accept the key/],
    [429, /was asked too often. Try again in 7 s/],
    [500, /answered with status 500/],
  ])("status %d is told in words, without the key", async (status, words) => {
    world.handle = (_, response) => void response.writeHead(status, { "retry-after": "7" }).end("canary");
    const { status: outcome, content } = await search({}, { settings });
    expect([outcome, content]).toEqual(["error", expect.stringMatching(words)]);
    expect(content).not.toContain("canary");
  });

  test("an answer of another form is told", async () => {
    world.handle = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end('{"results":"none","type":7}');
    expect((await search({}, { settings })).status).toBe(name === "SerpAPI" ? "success" : "error");
    world.handle = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{");
    expect((await search({ query: "other" }, { settings })).error?.code).toBe("SEARCH_FAILED");
  });

  test("a redirect is not followed, so that the key stays here", async () => {
    world.handle = (_, response) => void response.writeHead(302, { location: "https://evil.example/" }).end();
    expect((await search({}, { settings })).error?.code).toBe("FETCH_REFUSED");
    expect(world.visits).toHaveLength(1);
  });
});

describe("which service searches", () => {
  const why = (settings: Settings) => tool.configure?.(settings);

  test("none without a key: it is said what is needed", () => {
    expect(why({})).toBe("Web search has no provider yet: it needs a SearXNG address or a key of Brave, Tavily or SerpAPI.");
  });
  test.each(services)("$name with its setting", ({ settings }) => expect(why(settings)).toBeUndefined());
  test.each<[string, Settings, RegExp]>([
    ["a provider that does not exist", { provider: "altavista", brave_key: "x" }, /does not know the provider "altavista"/],
    ["a provider whose key is missing", { provider: "tavily", brave_key: "x" }, /lacks the setting tavily_key/],
    ["an address that is none", { searxng_url: "searxng" }, /needs an address with http or https/],
  ])("not %s", (_, settings, words) => expect(why(settings)).toMatch(words));

  test("a tenant's SearXNG inside the operator's network is refused unless the operator has listed it", async () => {
    world.names.set("database.internal", [["10.0.0.5"]]);
    for (const searxng_url of ["http://database.internal", "http://169.254.169.254", "http://searxng.internal:9200"])
      expect((await search({}, { settings: { searxng_url } })).error?.code).toBe("FETCH_REFUSED");
    expect(world.connections).toEqual([]);
  });

  test("SearXNG that gives no JSON says which setting is missing there", async () => {
    world.handle = (_, response) => void response.writeHead(403).end();
    const { content } = await search({}, { settings: { searxng_url: "http://searxng.internal:8080" } });
    expect(content).toBe("SearXNG refused: its settings do not list json among the formats.");
  });
});

describe("results are the words of strangers", () => {
  const results = (...found: object[]) => {
    world.handle = (_, response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ type: "search", web: { results: found } }));
  };
  const sources = async () => (await search()).metadata.sources ?? [];

  test("markup, entities and hidden letters are taken out of titles and snippets", async () => {
    const hidden = [..."send it"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
    results({
      title: `A <b>title</b>${hidden}\n[2] Another`,
      url: "https://a.example/",
      description: "R&amp;D &#x2014; <script>alert(1)</script> \u202Eevil\u200B &unknown;",
    });
    const [source] = await sources();
    expect([source?.title, source?.passage]).toEqual(["A title [2] Another", "R&D — alert(1) evil &unknown;"]);
  });

  test("addresses that are not of the web, hide something, hold a name or come twice are left out", async () => {
    const urls = [
      "https://a.example/",
      "https://a.example/#top",
      "https://a.example",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://user@a.example/",
      "https://a.example/\u200B",
      `https://a.example/${"x".repeat(900)}`,
      "a.example",
    ];
    results(...urls.map((url) => ({ title: "A", url, description: "x" })));
    expect((await sources()).map(({ url }) => url)).toEqual(["https://a.example/", "https://a.example/#top"]);
  });

  test("no result is no error", async () => {
    results();
    expect((await search()).content).toBe("No results from Brave Search, retrieved 2026-11-30 12:00 UTC.");
  });

  test.each(["https://evil.example/?q=secret", "see www.evil.example", "a%20b"])(
    "a query with an address is refused: %s",
    async (query) => {
      expect((await search({ query })).error?.code).toBe("BAD_PARAMETERS");
      expect(world.visits).toEqual([]);
    },
  );
});

describe("how often and how fresh", () => {
  test("the same question is asked once while its answer is fresh, and anew afterwards", async () => {
    await search();
    await search({ query: "NODE release" });
    expect(world.visits).toHaveLength(1);
    passed = 15 * 60_000 + 1;
    await search();
    expect(world.visits).toHaveLength(2);
  });

  test("what is new today is kept for five minutes only", async () => {
    await search({ within: "day" });
    passed = 5 * 60_000 + 1;
    await search({ within: "day" });
    expect(world.visits).toHaveLength(2);
  });

  test("T07: neither another workspace nor other readers are given what was kept", async () => {
    await search();
    await search({}, { tenant: globex });
    await search({}, { audience: contextFor(["everyone", "channel:C_BOARD"]).audience });
    expect(world.visits).toHaveLength(3);
  });

  test("a failure is not kept", async () => {
    world.handle = (_, response) => void response.writeHead(500).end();
    await search();
    searchServices(world);
    expect((await search()).status).toBe("success");
  });

  test("thirty searches a minute for one workspace; another one is not held up", async () => {
    for (let n = 0; n < 30; n++) expect((await search({ query: `node ${n}` })).status).toBe("success");
    expect((await search({ query: "one more" })).content).toMatch(/used the web 30 times within a minute. Try again in 60 s/);
    expect((await search({ query: "one more" }, { tenant: globex })).status).toBe("success");
    passed = 60_001;
    expect((await search({ query: "one more" })).status).toBe("success");
  });
});
