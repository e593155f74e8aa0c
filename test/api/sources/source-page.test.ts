import { randomBytes } from "node:crypto";
import { type HttpServer, startHttpServer } from "../../../src/api/http-server.ts";
import { linkLifetimeMs, SourceLinkSigner } from "../../../src/api/sources/source-links.ts";
import { sourcePageRoutes } from "../../../src/api/sources/source-page.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { newId, passageId, type TenantId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { channelPrincipal, everyone, personPrincipal } from "../../../src/core/principal.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { MemoryLibrary, passageIdOf, type SampleDocument } from "../../fakes/memory-library.ts";
import { type channel, person, place } from "../../fakes/people.ts";

const acme = tenantId(newId());
const globex = tenantId(newId());
/** A workspace that has removed the app. */
const gone = tenantId(newId());
const [alice, bob, gina] = [person("alice"), person("bob"), person("gina", { role: "guest" })];
const general = place("general", "public");
const board = place("board", "private");
const shared = place("guest-project", "public", { guests: "some" });
const direct = place(`DM_${alice.id}`, "direct");
const members = new Map([
  [board.id, [alice.id]],
  [shared.id, [alice.id, gina.id]],
]);

let now = 1_800_000_000_000;
const links = new SourceLinkSigner(randomBytes(32), () => server.url, { ...systemClock, now: () => new Date(now) });
let library = new MemoryLibrary();
let server: HttpServer;

beforeAll(async () => {
  const directory = new MemoryDirectory([alice, bob, gina], [general, board, shared, direct], members);
  const forTenant = async (tenant: TenantId) => {
    if (tenant === gone) throw new AppError("WORKSPACE_UNKNOWN");
    return { directory, library: library.forTenant(tenant) };
  };
  const routes = sourcePageRoutes({ links, forTenant });
  server = await startHttpServer(routes, { host: "127.0.0.1", port: 0, log: silentLogger });
});
afterAll(() => server.close());

const handbook: SampleDocument = { title: "Handbook", grants: [everyone], pages: ["Hello & welcome.", "Eighteen <b>weeks</b> of leave."] };
const plan: SampleDocument = { title: "Plan", grants: [channelPrincipal(board.id)], pages: ["We buy Initech."] };
const letter: SampleDocument = { title: "Letter", grants: [personPrincipal(alice.id)], pages: ["Your salary."] };
beforeEach(() => {
  library = new MemoryLibrary().add(acme, handbook, plan, letter);
});

const link = (document: string, page: number, reader: { channel: ReturnType<typeof channel>; person: typeof alice.id }, tenant = acme) =>
  links.forTenant(tenant).passage(passageIdOf(document, page), reader);
const open = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, body: await response.text(), headers: response.headers };
};

test("a source opens at its passage, marked, with its page, and its text is inert", async () => {
  const { status, body, headers } = await open(link("Handbook", 2, { channel: general.id, person: bob.id }));
  expect(status).toBe(200);
  expect(body).toContain("<h1>Handbook</h1>");
  expect(body).toContain("Page 2");
  expect(body).toMatch(/class="cited"[^>]*><p>Eighteen &lt;b&gt;weeks&lt;\/b&gt; of leave\./);
  expect(body).not.toContain("<b>");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("cache-control")).toContain("no-store");
});

test.each([
  ["a channel's document in that channel", "Plan", 1, board.id, alice.id, 200],
  ["the same by somebody who is not in the private channel", "Plan", 1, board.id, bob.id, 404],
  ["the same through another channel", "Plan", 1, general.id, alice.id, 404],
  ["one's own document in one's direct message", "Letter", 1, direct.id, alice.id, 200],
  ["one's own document in a channel that others read", "Letter", 1, general.id, alice.id, 404],
  ["a direct message's link in somebody else's name", "Letter", 1, direct.id, bob.id, 404],
  ["a workspace-wide document where a guest reads along", "Handbook", 1, shared.id, alice.id, 404],
  ["a workspace-wide document where none does", "Handbook", 1, general.id, alice.id, 200],
] as const)("%s: %s", async (_, document, page, where, who, expected) => {
  expect((await open(link(document, page, { channel: where, person: who }))).status).toBe(expected);
});

test("a withdrawn grant, another tenant's passage, an unknown one and a forged link look the same", async () => {
  const reader = { channel: general.id, person: alice.id };
  const good = link("Handbook", 1, reader);
  expect((await open(good)).status).toBe(200);
  library = new MemoryLibrary().add(acme, { ...handbook, grants: [channelPrincipal(board.id)] });
  const withdrawn = await open(good);
  const foreign = await open(link("Handbook", 1, reader, globex));
  const unknown = await open(links.forTenant(acme).passage(passageId(newId()), reader));
  const forged = await open(`${good.slice(0, -2)}xx`);
  for (const each of [withdrawn, foreign, unknown, forged]) expect([each.status, each.body]).toEqual([404, withdrawn.body]);
});

test("a link that is over says so", async () => {
  const url = link("Handbook", 1, { channel: general.id, person: alice.id });
  now += linkLifetimeMs;
  expect((await open(url)).status).toBe(410);
  now -= linkLifetimeMs;
});

test("other methods and paths are refused without a word more", async () => {
  expect((await fetch(`${server.url}/sources/x`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${server.url}/etc/passwd`)).status).toBe(404);
  expect((await fetch(`${server.url}/sources/../../etc/passwd`)).status).toBe(404);
  expect((await fetch(`${server.url}/sources/style.css`)).headers.get("content-type")).toContain("text/css");
});

test("T04: a link of a workspace that has removed the app looks like one to nothing", async () => {
  const reader = { channel: general.id, person: bob.id };
  const [absent, removed] = await Promise.all([open(link("Nothing", 1, reader)), open(link("Handbook", 2, reader, gone))]);
  expect([removed.status, removed.body]).toEqual([404, absent.body]);
});
