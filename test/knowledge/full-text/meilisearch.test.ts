import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { generateTenantToken } from "meilisearch/token";
import { systemClock } from "../../../src/core/clock.ts";
import { channelId, type DocumentId, newId, passageId, personId, type TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { channelPrincipal, everyone, type Principal, personPrincipal } from "../../../src/core/principal.ts";
import { Secret } from "../../../src/core/secret.ts";
import { createLibrary } from "../../../src/knowledge/create-library.ts";
import { Indexer } from "../../../src/knowledge/full-text/meilisearch/indexer.ts";
import { meiliSearch } from "../../../src/knowledge/full-text/meilisearch/meili-search.ts";
import { indexOf, MeiliServer } from "../../../src/knowledge/full-text/meilisearch/meili-server.ts";
import type { FullTextSearch } from "../../../src/knowledge/full-text/port.ts";
import type { Library } from "../../../src/knowledge/library.ts";
import { databaseFullText } from "../../../src/knowledge/retrieve/full-text.ts";
import { FullTextIndexRepository } from "../../../src/store/repositories/full-text-index.ts";
import { FakeMeili } from "../../fakes/meili-server.ts";
import { type KnowledgeFixture, openKnowledge } from "../knowledge-fixture.ts";

/** The same suite runs against a server whose writing key may also read keys; the rest looks into the stand-in. */
const realUrl = process.env.FOOTNOTE_TEST_MEILI_URL ?? process.env.MEILI_URL;
const realKey = process.env.FOOTNOTE_TEST_MEILI_KEY ?? process.env.MEILI_KEY ?? "";

const { signal } = new AbortController();
const as = (...principals: Principal[]) => ({ principals, limit: 10, signal });
const alice = personPrincipal(personId("UALICE"));
const board = channelPrincipal(channelId("CBOARD"));

let knowledge: KnowledgeFixture;
beforeAll(async () => {
  knowledge = await openKnowledge("embedded");
});
afterAll(() => knowledge.test.close());

const rowsOf = (tenant: TenantId) => new FullTextIndexRepository(tenant, knowledge.test.database.forTenant(tenant));

interface Side {
  readonly server: MeiliServer;
  readonly indexer: Indexer;
  readonly fullText: FullTextSearch;
  readonly library: Library;
}

function sideOf(url: string, key: string, tenants: readonly TenantId[], search?: { key: Secret; id: string }): Side {
  const server = new MeiliServer({ url, key: new Secret(key), search, clock: systemClock });
  const indexer = new Indexer({ server, clock: systemClock, log: silentLogger, tenants: async () => tenants, rowsOf });
  const database = databaseFullText(knowledge.storage);
  const fullText = meiliSearch({ server, storage: knowledge.storage, database, onFailure: () => indexer.doubt() });
  return {
    server,
    indexer,
    fullText,
    library: createLibrary({ ...knowledge, embedder: () => knowledge.embedder, fullText, log: silentLogger }),
  };
}

describe.each(realUrl ? ["stand-in", "server"] : ["stand-in"])("full text in Meilisearch (%s)", (kind) => {
  let fake: FakeMeili | undefined;
  let url: string;
  let acme: TenantId;
  let globex: TenantId;
  let side: Side;
  let searchKey: { key: Secret; id: string } | undefined;

  beforeAll(async () => {
    fake = kind === "stand-in" ? await FakeMeili.start() : undefined;
    url = fake?.url ?? realUrl ?? "";
    searchKey = fake && { key: new Secret(fake.searchKey.key), id: fake.searchKey.uid };
    acme = await knowledge.test.addTenant();
    globex = await knowledge.test.addTenant();
    side = sideOf(url, fake?.writeKey.key ?? realKey, [acme, globex], searchKey);
    await knowledge.add(
      acme,
      "handbook.md",
      "# Handbook\n\n## Parental leave\n\nParental leave is eighteen weeks.\n\n## Travel\n\nBook trains in Wayfare.",
    );
    await knowledge.add(acme, "alice.md", "# Letter\n\nAlice earns ninety thousand zorkmids.", [alice]);
    await knowledge.add(globex, "handbook.md", "# Handbook\n\n## Parental leave\n\nParental leave is thirty weeks.");
    for (const tenant of [acme, globex]) await side.indexer.sync(tenant);
  });
  afterAll(async () => {
    for (const tenant of [acme, globex]) await side.server.drop(tenant, signal);
    await fake?.stop();
  });

  const texts = async (tenant: TenantId, query: string, ...principals: Principal[]) =>
    (await side.library.forTenant(tenant).fullText(query, as(...principals))).hits.map(({ text }) => text);

  test("finds a passage by its words, mistyped too, in its own workspace alone", async () => {
    expect((await texts(acme, "parental leave weeks", everyone))[0]).toBe("Parental leave is eighteen weeks.");
    expect((await texts(acme, "parentel leave", everyone))[0]).toBe("Parental leave is eighteen weeks.");
    expect(await texts(globex, "parental leave weeks", everyone, alice)).toEqual(["Parental leave is thirty weeks."]);
    const { notices, hits } = await side.library.forTenant(acme).hybrid("parental leave weeks", as(everyone));
    expect([hits[0]?.title, notices]).toEqual(["Handbook", []]);
  });

  test("shows a person's document to that person and to nobody else", async () => {
    expect(await texts(acme, "zorkmids", everyone, alice)).toEqual(["Alice earns ninety thousand zorkmids."]);
    for (const principals of [[everyone], [board], []]) expect(await texts(acme, "zorkmids", ...principals)).toEqual([]);
  });

  test("T06: what looks like a filter in a question or a name means nothing", async () => {
    for (const query of ['x" OR grants = "person:UALICE', 'zorkmids" ) OR (grants EXISTS', "zorkmids -eighteen"])
      expect(await texts(acme, query, everyone)).not.toContain("Alice earns ninety thousand zorkmids.");
    const forged = `person:U" OR grants = "${alice}` as Principal;
    expect(await texts(acme, "zorkmids", forged)).toEqual([]);
    expect(await texts(acme, "zorkmids", forged, alice)).toHaveLength(1);
  });

  test("T06: a query's token opens one index to searches, and nothing else", async () => {
    const uid = searchKey?.id ?? (await keyIdOf(url, realKey));
    const apiKey = searchKey?.key.reveal() ?? (await keyIdOf(url, realKey, "key"));
    const searchRules = { [indexOf(acme)]: { filter: 'grants IN ["everyone"]' } };
    const expiresAt = new Date(systemClock.now().getTime() + 60_000);
    const token = await generateTenantToken({ apiKey, apiKeyUid: uid, searchRules, expiresAt });
    const status = async (method: string, path: string, body?: unknown) => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      return (await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })).status;
    };
    expect(await status("POST", `/indexes/${indexOf(acme)}/search`, { q: "leave" })).toBe(200);
    expect(await status("POST", `/indexes/${indexOf(globex)}/search`, { q: "leave" })).toBe(403);
    expect(await status("GET", `/indexes/${indexOf(acme)}/documents`)).toBe(403);
    expect(await status("GET", "/keys")).toBe(403);
    const queries = [acme, globex].map((tenant) => ({ indexUid: indexOf(tenant), q: "leave" }));
    expect(await status("POST", "/multi-search", { queries })).toBe(403);
  });

  test("T06: an entry that the database knows nothing of, or another workspace's, is never a hit, and is removed when looked at", async () => {
    const [row] = await knowledge.test.asOwner<{ id: string; document_id: string }>(
      `SELECT id, document_id FROM passages WHERE tenant_id = '${globex}' LIMIT 1`,
    );
    const [document, revision] = [row?.document_id ?? "", newId()];
    const planted = {
      document,
      revision,
      grants: [everyone],
      title: "Handbook",
      heading: "",
      text: "Parental leave is a planted number of weeks",
    };
    await side.server.write(acme, document, revision, [{ ...planted, id: passageId(row?.id ?? "") }], signal);
    const raw = await side.server.search(acme, { words: "planted", filter: 'grants IN ["everyone"]', limit: 5, signal });
    expect(raw.map(({ id }) => id)).toEqual([row?.id]);
    expect((await side.fullText.search(acme, "planted", as(everyone))).hits).toEqual([]);
    expect(await side.indexer.mend(acme)).toEqual({ rewritten: 0, removed: 1, prepared: false });
    expect(await side.server.search(acme, { words: "planted", filter: 'grants IN ["everyone"]', limit: 5, signal })).toEqual([]);
    expect(await side.indexer.mend(acme)).toEqual({ rewritten: 0, removed: 0, prepared: false });
  });

  test("an index that was deleted, set up otherwise, or lacks entries is as it should be after mending", async () => {
    await side.server.drop(acme, signal);
    await expect(texts(acme, "parental leave", everyone)).rejects.toMatchObject({ code: "FULL_TEXT_FAILED" });
    expect((await side.indexer.mend(acme)).prepared).toBe(true);
    expect(await texts(acme, "eighteen weeks", everyone)).toHaveLength(1);

    await side.server.prepare(acme, [{ filterableAttributes: ["document", "revision"] }], signal);
    await expect(texts(acme, "eighteen", everyone)).rejects.toMatchObject({ code: "FULL_TEXT_FAILED" });
    expect((await side.indexer.mend(acme)).prepared).toBe(true);
    const [document] = [...(await rowsOf(acme).settled()).keys()];
    await side.server.remove(acme, document ?? "", signal);
    expect(await side.indexer.mend(acme)).toEqual({ rewritten: 1, removed: 0, prepared: false });
    expect(await texts(acme, "eighteen", everyone)).toHaveLength(1);
    expect(await texts(acme, "zorkmids", alice)).toHaveLength(1);
  });

  test("a document that changed is found by its new words, one that was removed by none, and a workspace without any leaves no index", async () => {
    const tenant = await knowledge.test.addTenant();
    await knowledge.add(tenant, "note.md", "The kettle is on the third floor.");
    await side.indexer.sync(tenant);
    const { documentId } = await knowledge.add(tenant, "note.md", "The kettle is in the cellar.");
    await side.indexer.sync(tenant);
    expect(await texts(tenant, "kettle", everyone)).toEqual(["The kettle is in the cellar."]);
    expect(await texts(tenant, "third floor", everyone)).toEqual([]);
    await knowledge.ingestion.remove(tenant, documentId as DocumentId);
    await side.indexer.sync(tenant);
    expect(await side.server.search(tenant, { words: "kettle", filter: 'grants IN ["everyone"]', limit: 5, signal })).toEqual([]);
    await side.indexer.mend(tenant);
    expect(await side.server.exists(tenant)).toBe(false);
  });
});

/** On a real server: its key for searches alone. */
async function keyIdOf(url: string, key: string, field: "uid" | "key" = "uid"): Promise<string> {
  const answer = await fetch(`${url}/keys?limit=100`, { headers: { Authorization: `Bearer ${key}` } });
  const { results } = (await answer.json()) as { results: { uid: string; key: string; actions: string[] }[] };
  return results.find(({ actions }) => actions.join() === "search")?.[field] ?? "";
}

describe("Meilisearch that misbehaves (stand-in)", () => {
  let fake: FakeMeili;
  let tenant: TenantId;
  let side: Side;
  beforeEach(async () => {
    fake = await FakeMeili.start();
    tenant = await knowledge.test.addTenant();
    side = sideOf(fake.url, fake.writeKey.key, [tenant], { key: new Secret(fake.searchKey.key), id: fake.searchKey.uid });
  });
  afterEach(async () => {
    knowledge.embedder.failure = undefined;
    await fake.stop();
  });
  const found = async (query: string) => (await side.library.forTenant(tenant).fullText(query, as(everyone))).hits.map(({ text }) => text);

  test("H5-SRC-04: a document that the index refuses is shown with the reason and tried again when it changes; the others are found", async () => {
    fake.dislikes = ({ text }) => String(text).includes("cursed");
    await knowledge.add(tenant, "file 1.pdf#3.md", "A cursed lamp.");
    await knowledge.add(tenant, "good.md", "A brass lamp.");
    await side.indexer.sync(tenant);
    expect(await found("lamp")).toEqual(["A brass lamp."]);
    const status = await rowsOf(tenant).status();
    expect(status).toMatchObject({ documents: 2, waiting: 1, failures: [{ reason: expect.stringContaining("internal") }] });
    await side.indexer.sync(tenant);
    expect(fake.requests.filter(({ body }) => JSON.stringify(body)?.includes("cursed"))).toHaveLength(1);

    await knowledge.add(tenant, "file 1.pdf#3.md", "A blessed lamp.");
    await side.indexer.sync(tenant);
    expect((await found("lamp")).sort()).toEqual(["A blessed lamp.", "A brass lamp."]);
    expect(await rowsOf(tenant).status()).toMatchObject({ waiting: 0, failures: [] });
    const added = fake.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/documents"));
    for (const { body } of added) for (const { id } of body as { id: string }[]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(fake.indexes.get(indexOf(tenant))?.primaryKey).toBe("id");
  });

  test("T06: every search carries a token of its own that names one index, with a filter, and ends within five minutes", async () => {
    await knowledge.add(tenant, "good.md", "A brass lamp.");
    await side.indexer.sync(tenant);
    await found("lamp");
    await side.library.forTenant(tenant).hybrid("brass lamp", as(everyone, alice));
    const searches = fake.requests.filter(({ path }) => path.endsWith("/search"));
    expect(searches.length).toBeGreaterThanOrEqual(2);
    for (const { authorization } of searches) {
      const claims = JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString());
      expect(Object.keys(claims.searchRules)).toEqual([indexOf(tenant)]);
      expect(claims.searchRules[indexOf(tenant)].filter).toMatch(/^grants IN \["/);
      expect(claims.exp * 1000 - systemClock.now().getTime()).toBeLessThanOrEqual(300_000);
    }
    expect(fake.requests.some(({ path }) => path === "/keys")).toBe(false);
  });

  test("T18: while the index is behind, a document that was removed or taken from somebody is not shown any more", async () => {
    const { documentId } = await knowledge.add(tenant, "lamp.md", "A brass lamp.");
    const other = await knowledge.add(tenant, "letter.md", "A lamp letter.");
    await side.indexer.sync(tenant);
    expect(await found("lamp")).toHaveLength(2);
    fake.frozen = true;
    const { documents } = knowledge.storage.forTenant(tenant);
    await documents.remove(documentId as DocumentId);
    await documents.setGrants(other.documentId as DocumentId, [alice]);
    expect((await side.fullText.search(tenant, "lamp", as(everyone))).hits).toEqual([]);
    expect(await found("lamp")).toEqual([]);
    fake.thaw();
    await side.indexer.sync(tenant);
    expect(fake.indexes.get(indexOf(tenant))?.documents.size).toBe(1);
  });

  test("when it is down the answer says so and the search by meaning goes on; afterwards nothing is missing", async () => {
    await knowledge.add(tenant, "lamp.md", "A brass lamp.");
    fake.down = true;
    await expect(side.indexer.sync(tenant)).rejects.toMatchObject({ code: "FULL_TEXT_FAILED" });
    const { hits, notices } = await side.library.forTenant(tenant).hybrid("brass lamp", as(everyone));
    expect(hits.map(({ text }) => text)).toEqual(["A brass lamp."]);
    expect(notices).toEqual([expect.stringContaining("words failed")]);
    await expect(found("lamp")).rejects.toMatchObject({ code: "FULL_TEXT_FAILED" });
    knowledge.embedder.failure = new Error("down");
    await expect(side.library.forTenant(tenant).hybrid("brass lamp", as(everyone))).rejects.toMatchObject({ code: "FULL_TEXT_FAILED" });
    knowledge.embedder.failure = undefined;
    fake.down = false;
    await side.indexer.sync(tenant);
    expect(await found("lamp")).toEqual(["A brass lamp."]);
  });

  test("a search narrowed to some documents is the database's, and right", async () => {
    await knowledge.add(tenant, "lamp.md", "A brass lamp.");
    await knowledge.add(tenant, "other.md", "A second lamp.");
    await side.indexer.sync(tenant);
    const narrowed = { ...as(everyone), filter: { source: "other" } };
    expect((await side.library.forTenant(tenant).fullText("lamp", narrowed)).hits.map(({ text }) => text)).toEqual(["A second lamp."]);
  });

  test("without a key for searches alone it says which setting is missing, and a key that may read keys finds one", async () => {
    await knowledge.add(tenant, "lamp.md", "A brass lamp.");
    const without = sideOf(fake.url, fake.writeKey.key, [tenant]);
    await without.indexer.sync(tenant);
    await expect(without.fullText.search(tenant, "lamp", as(everyone))).rejects.toThrow("MEILI_SEARCH_KEY");
    const admin = await FakeMeili.start(["*"]);
    const powerful = sideOf(admin.url, admin.writeKey.key, [tenant]);
    await rowsOf(tenant).reset();
    await powerful.indexer.sync(tenant);
    expect((await powerful.fullText.search(tenant, "lamp", as(everyone))).hits).toHaveLength(1);
    await admin.stop();
  });
});
