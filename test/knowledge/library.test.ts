import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { channelId, newId, passageId, personId, type TenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { channelPrincipal, everyone, type Principal, personPrincipal } from "../../src/core/principal.ts";
import { createLibrary } from "../../src/knowledge/create-library.ts";
import { terms } from "../../src/knowledge/full-text/terms.ts";
import type { TenantLibrary } from "../../src/knowledge/library.ts";
import { EmbedderUseRepository } from "../../src/store/repositories/embedder-use.ts";
import { PassageRepository } from "../../src/store/repositories/passages.ts";
import type { TenantTransaction } from "../../src/store/transaction.ts";
import { mendIndexes, testDatabases } from "../fakes/test-database.ts";
import { type KnowledgeFixture, openKnowledge } from "./knowledge-fixture.ts";
import { vectorOf } from "./word-embedder.ts";

const { signal } = new AbortController();
const searches = ["semantic", "fullText", "hybrid"] as const;
const as = (...principals: Principal[]) => ({ principals, limit: 10, signal });

describe.each(testDatabases)("searching documents (%s)", (kind) => {
  let knowledge: KnowledgeFixture;
  let acme: TenantId;
  let globex: TenantId;
  let library: TenantLibrary;
  const alice = personPrincipal(personId("UALICE"));
  const bob = personPrincipal(personId("UBOB"));
  const board = channelPrincipal(channelId("CBOARD"));

  beforeAll(async () => {
    knowledge = await openKnowledge(kind);
    acme = await knowledge.test.addTenant();
    globex = await knowledge.test.addTenant();
    library = knowledge.library.forTenant(acme);
    await knowledge.add(
      acme,
      "handbook.md",
      "# Handbook\n\n## Parental leave\n\nParental leave is eighteen weeks.\n\n## Travel\n\nTrains are booked in Wayfare.",
    );
    await knowledge.add(acme, "alice.md", "# Letter\n\nAlice earns a salary of ninety thousand zorkmids.", [alice]);
    await knowledge.add(acme, "board.md", "# Board minutes\n\nThe board decided to acquire Brightwater.", [board]);
    await knowledge.add(globex, "handbook.md", "# Handbook\n\n## Parental leave\n\nParental leave is thirty weeks.");
  });
  afterAll(() => knowledge.test.close());

  test.each(searches)("%s finds the passage with its heading, title and a score", async (search) => {
    const { hits, notices } = await library[search]("parental leave weeks", as(everyone));
    expect(hits[0]).toMatchObject({ title: "Handbook", heading: "Parental leave", text: "Parental leave is eighteen weeks." });
    expect(hits[0]?.score).toBeGreaterThan(0.4);
    expect(hits[0]?.score).toBeLessThanOrEqual(1);
    expect(notices).toEqual([]);
  });

  test.each(searches)("%s never shows another workspace's document of the same name", async (search) => {
    const found = await knowledge.library.forTenant(globex)[search]("parental leave weeks", as(everyone, alice, board));
    expect(found.hits.map((hit) => hit.text)).toEqual(["Parental leave is thirty weeks."]);
  });

  test.each(searches)("%s shows a personal document to its person and to nobody else", async (search) => {
    const query = "Alice salary zorkmids";
    expect((await library[search](query, as(everyone, alice))).hits[0]?.title).toBe("Letter");
    for (const principals of [[everyone], [everyone, bob, board], []]) {
      expect((await library[search](query, as(...principals))).hits.map((hit) => hit.title)).not.toContain("Letter");
    }
  });

  test.each(searches)("%s shows a channel's document in that channel only", async (search) => {
    expect((await library[search]("board acquire Brightwater", as(board))).hits[0]?.title).toBe("Board minutes");
    expect((await library[search]("board acquire Brightwater", as(everyone, alice))).hits.map((hit) => hit.title)).not.toContain(
      "Board minutes",
    );
  });

  test("without principals nothing at all is found", async () => {
    for (const search of searches) expect((await library[search]("parental leave", as())).hits).toEqual([]);
    expect(await library.list({ principals: [], limit: 10, offset: 0 })).toEqual({ documents: [], total: 0 });
  });

  test("what the documents do not hold is not found", async () => {
    expect((await library.hybrid("photosynthesis of chlorophyll", as(everyone))).hits).toEqual([]);
    expect((await library.fullText("photosynthesis", as(everyone))).hits).toEqual([]);
    expect((await library.fullText("   ", as(everyone))).hits).toEqual([]);
  });

  test("T05: each statement filters by itself: a forbidden passage is never even a candidate", async () => {
    const { passages } = knowledge.storage.forTenant(acme);
    const words = terms("salary zorkmids").map((term) => [term]);
    const query = { model: knowledge.embedder.id, vector: vectorOf("Alice salary zorkmids") };
    const [own] = (await passages.byTerms(words, [alice], 10)).candidates;
    if (!own) throw new Error("not found");
    expect((await passages.byVector(query, [alice], 10)).candidates.map((each) => each.passageId)).toContain(own.passageId);
    expect(await passages.read([own.passageId], [alice])).toHaveLength(1);

    const unknown = { passages: 0, weight: expect.any(Number) };
    expect(await passages.byTerms(words, [everyone, bob], 10)).toEqual({ candidates: [], words: [unknown, unknown] });
    expect(await passages.termFrequencies(words.flat(), [alice])).toEqual(new Map(words.flat().map((term) => [term, 1])));
    expect(await passages.termFrequencies(words.flat(), [everyone, bob])).toEqual(new Map());
    const others = await passages.byVector(query, [everyone, bob], 10);
    expect(others.candidates.map((each) => each.passageId)).not.toContain(own.passageId);
    expect(others.sample.count).toBe(others.candidates.length);
    expect(await passages.read([own.passageId], [everyone, bob])).toEqual([]);
    expect(await knowledge.storage.forTenant(globex).passages.read([own.passageId], [alice])).toEqual([]);
  });

  test("T18: a grant that is withdrawn counts at once, and so does one that is given", async () => {
    const report = await knowledge.add(acme, "secret.md", "The launch codename is quetzalcoatl.", [alice]);
    expect((await library.fullText("quetzalcoatl", as(alice))).hits).toHaveLength(1);
    if (!report.documentId) throw new Error("no document");
    await knowledge.storage.forTenant(acme).documents.setGrants(report.documentId, [bob]);
    expect((await library.fullText("quetzalcoatl", as(alice))).hits).toEqual([]);
    expect((await library.fullText("quetzalcoatl", as(bob))).hits).toHaveLength(1);
  });

  test("T18: a grant withdrawn between the search and the reading keeps the text back", async () => {
    const report = await knowledge.add(acme, "racy.md", "The spare key is under xylophone number four.", [alice]);
    const rows = knowledge.storage.forTenant(acme);
    const racing = createLibrary({
      embedder: () => knowledge.embedder,
      log: silentLogger,
      storage: {
        forTenant: () => ({
          documents: rows.documents,
          passages: {
            byVector: (...given) => rows.passages.byVector(...given),
            termFrequencies: (...given) => rows.passages.termFrequencies(...given),
            byTerms: async (...given) => {
              const found = await rows.passages.byTerms(...given);
              if (report.documentId) await rows.documents.setGrants(report.documentId, []);
              return found;
            },
            visible: (...given) => rows.passages.visible(...given),
            read: (...given) => rows.passages.read(...given),
            context: (...given) => rows.passages.context(...given),
          },
        }),
      },
    });
    expect((await racing.forTenant(acme).fullText("xylophone", as(alice))).hits).toEqual([]);
  });

  test("hidden documents have no influence on anybody's scores", async () => {
    const score = async () => (await library.fullText("parental leave Wayfare", as(everyone))).hits.map((hit) => [hit.text, hit.score]);
    const before = await score();
    for (let n = 0; n < 5; n++) await knowledge.add(acme, `hidden-${n}.md`, `Wayfare Wayfare parental number ${n}.`, [bob]);
    expect(await score()).toEqual(before);
  });

  test("H5-SRC-01: one side down: the other's hits come with a notice; both down: it fails", async () => {
    knowledge.embedder.failure = new Error("down");
    const found = await library.hybrid("parental leave", as(everyone));
    expect(found.hits[0]?.text).toBe("Parental leave is eighteen weeks.");
    expect(found.notices).toEqual([expect.stringContaining("meaning")]);
    await expect(library.semantic("parental leave", as(everyone))).rejects.toThrow("down");

    const rows = knowledge.storage.forTenant(acme);
    const broken = createLibrary({
      embedder: () => knowledge.embedder,
      log: silentLogger,
      storage: {
        forTenant: () => ({
          documents: rows.documents,
          passages: {
            byVector: (...given) => rows.passages.byVector(...given),
            termFrequencies: (...given) => rows.passages.termFrequencies(...given),
            byTerms: () => Promise.reject(new Error("no words")),
            visible: (...given) => rows.passages.visible(...given),
            read: (...given) => rows.passages.read(...given),
            context: (...given) => rows.passages.context(...given),
          },
        }),
      },
    }).forTenant(acme);
    await expect(broken.hybrid("parental leave", as(everyone))).rejects.toThrow("no words");
    knowledge.embedder.failure = undefined;
    const meaningOnly = await broken.hybrid("parental leave weeks", as(everyone));
    expect(meaningOnly.hits[0]?.text).toBe("Parental leave is eighteen weeks.");
    expect(meaningOnly.notices).toEqual([expect.stringContaining("words")]);
  });

  test("the text around a passage is given to whoever may read it, and looks absent to others", async () => {
    const [hit] = (await library.fullText("Wayfare trains", as(everyone))).hits;
    if (!hit) throw new Error("not found");
    const around = { passage: hit.passageId, before: 1, after: 5 };
    const excerpt = await library.context(around, { principals: [everyone] });
    expect(excerpt?.passages.map((passage) => passage.text)).toEqual([
      "Parental leave is eighteen weeks.",
      "Trains are booked in Wayfare.",
    ]);
    expect(excerpt?.truncated).toBe(false);
    expect(await library.context(around, { principals: [bob] })).toBeUndefined();
    expect(await knowledge.library.forTenant(globex).context(around, { principals: [everyone] })).toBeUndefined();
    expect(await library.context({ ...around, passage: passageId(newId()) }, { principals: [everyone] })).toBeUndefined();
    expect(await library.context({ ...around, passage: passageId("' OR 1=1 --") }, { principals: [everyone] })).toBeUndefined();
  });

  test("the list holds what one may see, by part of the title, whatever the case", async () => {
    const list = (principals: Principal[], contains?: string) =>
      library.list({ principals, limit: 10, offset: 0, ...(contains === undefined ? {} : { contains }) });
    expect((await list([everyone])).documents.map((document) => document.title)).toEqual(["Handbook"]);
    expect((await list([everyone, alice])).total).toBe(2);
    expect((await list([everyone, alice], "LETT")).documents).toMatchObject([{ title: "Letter", format: "markdown", passages: 1 }]);
    expect((await list([everyone, alice], "%")).total).toBe(0);
  });
});

describe.each(testDatabases)("a small workspace beside a large one (%s)", (kind) => {
  let knowledge: KnowledgeFixture;
  beforeAll(async () => {
    knowledge = await openKnowledge(kind);
  });
  afterAll(() => knowledge.test.close());

  test("T05: finds all of its own passages although the other's lie nearer to the query", async () => {
    const large = await knowledge.test.addTenant();
    const small = await knowledge.test.addTenant();
    const query = "quarterly revenue forecast";
    const near = vectorOf(query);
    const document = (name: string, count: number, vectorAt: (index: number) => Float32Array, secret: string) => ({
      title: name,
      sourceUri: name,
      contentHash: "",
      recipe: "",
      format: "text" as const,
      notes: [],
      ingestedAt: new Date(0),
      grants: [everyone],
      passages: Array.from({ length: count }, (_, index) => ({
        text: `${secret} ${index}`,
        tokens: 3,
        terms: [secret],
        embedding: { model: knowledge.embedder.id, vector: vectorAt(index) },
      })),
    });
    await knowledge.storage.forTenant(large).documents.replace(document("large", 3_000, () => near, "canary"));
    await knowledge.storage
      .forTenant(small)
      .documents.replace(document("small", 5, (index) => near.map((value, slot) => value + (slot === index ? 0.8 : 0.01)), "own"));
    const { candidates } = await knowledge.storage
      .forTenant(small)
      .passages.byVector({ model: knowledge.embedder.id, vector: near }, [everyone], 5);
    expect(candidates).toHaveLength(5);
    const { hits } = await knowledge.library.forTenant(small).semantic(query, as(everyone));
    expect(hits.flatMap((hit) => hit.text.split("\n\n")).sort()).toEqual(["own 0", "own 1", "own 2", "own 3", "own 4"]);
  });

  test("T05: workspace and grants stand in every statement that reads passages, vectors or words, whichever plan it takes", async () => {
    const tenant = await knowledge.test.addTenant();
    await knowledge.add(tenant, "own.md", "The quarterly revenue forecast.");
    const statements: string[] = [];
    for (const exactUpTo of [0, 100]) {
      const transaction: TenantTransaction = (work) =>
        knowledge.test.database.forTenant(tenant)((manager) => {
          const query = (sql: string, values?: unknown[]) => {
            statements.push(sql);
            return manager.query(sql, values);
          };
          return work(new Proxy(manager, { get: (of, name) => (name === "query" ? query : Reflect.get(of, name)) }));
        });
      const passages = new PassageRepository(transaction, tenant, { exactUpTo });
      const storage = { forTenant: () => ({ ...knowledge.storage.forTenant(tenant), passages }) };
      const spied = createLibrary({ storage, embedder: () => knowledge.embedder, log: silentLogger }).forTenant(tenant);
      const [hit] = (await spied.hybrid("quarterly revenu forecast", as(everyone))).hits;
      expect(hit?.text).toBe("The quarterly revenue forecast.");
      await spied.context({ passage: hit?.passageId ?? passageId(""), before: 1, after: 1 }, as(everyone));
      await passages.visible([hit?.passageId ?? passageId("")], [everyone]);
    }
    const reading = statements.filter((sql) => /\b(?:FROM|JOIN)\s+(?:passages|embeddings|postings)\b/.test(sql));
    expect(reading.length).toBeGreaterThanOrEqual(10);
    for (const sql of reading) {
      expect(sql).toContain("tenant_id = $1");
      expect(sql).toContain("principal = ANY($2");
    }
  });

  test("the approximate search gives the same as the exact one, within the grants", async () => {
    const tenant = await knowledge.test.addTenant();
    const alice = personPrincipal(personId("UALICE"));
    const storage = knowledge.storage.forTenant(tenant);
    const approximate = new PassageRepository(knowledge.test.database.forTenant(tenant), tenant, { exactUpTo: 0 });
    for (const [sourceUri, grants] of [
      ["shared", [everyone]],
      ["private", [alice]],
    ] as const) {
      await storage.documents.replace({
        title: sourceUri,
        sourceUri,
        contentHash: "",
        recipe: "",
        format: "text",
        notes: [],
        ingestedAt: new Date(0),
        grants,
        passages: Array.from({ length: 300 }, (_, n) => ({
          text: `${sourceUri} ${n}`,
          tokens: 1,
          terms: [],
          embedding: { model: "generated", vector: generatedVector(`${sourceUri} ${n}`) },
        })),
      });
    }
    await new EmbedderUseRepository(knowledge.test.database.system).want({ id: "generated", dimensions: 256 });
    await mendIndexes(knowledge.test);
    const query = { model: "generated", vector: generatedVector("the question") };
    for (const principals of [[everyone], [alice], [everyone, alice]]) {
      const exact = await storage.passages.byVector(query, principals, 10);
      expect(exact.candidates).toHaveLength(10);
      const found = (await approximate.byVector(query, principals, 10)).candidates.map((each) => each.passageId);
      expect(exact.candidates.filter((each) => found.includes(each.passageId)).length).toBeGreaterThanOrEqual(9);
    }
    expect((await approximate.byVector(query, [], 10)).candidates).toEqual([]);
  });
});

/** A direction in 256 dimensions that follows from a text. */
function generatedVector(seed: string): Float32Array {
  const bytes = Array.from({ length: 8 }, (_, n) => [...createHash("sha256").update(`${seed}/${n}`).digest()]).flat();
  return Float32Array.from(bytes, (byte) => byte - 127.5);
}
