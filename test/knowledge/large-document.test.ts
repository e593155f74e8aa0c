import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { TenantId } from "../../src/core/ids.ts";
import { everyone } from "../../src/core/principal.ts";
import type { IngestProgress } from "../../src/knowledge/ingest/pipeline.ts";
import type { NewDocument } from "../../src/knowledge/storage.ts";
import { DocumentRepository } from "../../src/store/repositories/documents.ts";
import type { TenantTransaction } from "../../src/store/transaction.ts";
import { testDatabases } from "../fakes/test-database.ts";
import { type KnowledgeFixture, openKnowledge } from "./knowledge-fixture.ts";
import { vectorOf } from "./word-embedder.ts";

const { signal } = new AbortController();
const PASSAGES = 60;

describe.each(testDatabases)("a large document (%s)", (kind) => {
  let knowledge: KnowledgeFixture;
  let tenant: TenantId;
  beforeAll(async () => {
    knowledge = await openKnowledge(kind);
  });
  afterAll(() => knowledge.test.close());
  beforeEach(async () => {
    tenant = await knowledge.test.addTenant();
  });

  const document = (word: string): NewDocument => ({
    ...{ title: "Handbook", sourceUri: "test:handbook", contentHash: word, recipe: "1", format: "text", notes: [], grants: [everyone] },
    ingestedAt: new Date(0),
    passages: Array.from({ length: PASSAGES }, (_, n) => ({
      text: `${word} ${n}`,
      tokens: 2,
      terms: [word, `${n}`],
      embedding: { model: knowledge.embedder.id, vector: vectorOf(word) },
    })),
  });
  const found = async (word: string) => {
    const { passages } = knowledge.storage.forTenant(tenant);
    const [{ candidates }, listed] = await Promise.all([
      passages.byTerms([[word]], [everyone], 1_000),
      knowledge.library.forTenant(tenant).list({ principals: [everyone], limit: 10, offset: 0 }),
    ]);
    return { passages: candidates.length, documents: listed.total };
  };
  /** Documents by a process to which something happens after each transaction; it ends the process when it throws. */
  const interrupted = (happens: (transactions: number) => Promise<void>) => {
    let count = 0;
    const transaction: TenantTransaction = async (work) => {
      const result = await knowledge.test.database.forTenant(tenant)(work);
      await happens(++count);
      return result;
    };
    return new DocumentRepository(transaction, tenant);
  };
  const died = (at: number) => async (count: number) => {
    if (count === at) throw new Error("killed");
  };

  test("that is new is stored in portions, between which others have their turn, and nobody sees a part of it", async () => {
    const seen: Awaited<ReturnType<typeof found>>[] = [];
    const stored: number[] = [];
    await interrupted(async () => void seen.push(await found("okapi"))).replace(document("okapi"), (done, total) => {
      expect(total).toBe(PASSAGES);
      stored.push(done);
    });
    expect(stored).toEqual([...stored].sort((a, b) => a - b));
    expect(stored.length).toBeGreaterThan(1);
    expect(seen.pop()).toEqual({ passages: PASSAGES, documents: 1 });
    expect(seen.length).toBeGreaterThan(stored.length);
    for (const each of seen) expect(each).toEqual({ passages: 0, documents: 0 });
  });

  test("of which half is stored when the process dies is not there, and is whole after the next time", async () => {
    await expect(interrupted(died(3)).replace(document("okapi"))).rejects.toThrow("killed");
    expect(await found("okapi")).toEqual({ passages: 0, documents: 0 });
    const { documents } = knowledge.storage.forTenant(tenant);
    expect(await documents.findBySource("test:handbook")).toBeUndefined();
    await documents.replace(document("giraffe"));
    expect([await found("okapi"), await found("giraffe")]).toEqual([
      { passages: 0, documents: 1 },
      { passages: PASSAGES, documents: 1 },
    ]);
    expect(await documents.findBySource("test:handbook")).toMatchObject({ contentHash: "giraffe", passages: PASSAGES });
  });

  test("that two processes store at the same time is stored by the later one; the other says so", async () => {
    const later = async (count: number) => {
      if (count === 2) await knowledge.storage.forTenant(tenant).documents.replace(document("giraffe"));
    };
    await expect(interrupted(later).replace(document("okapi"))).rejects.toMatchObject({ code: "DOCUMENT_BUSY" });
    expect([await found("okapi"), await found("giraffe")]).toEqual([
      { passages: 0, documents: 1 },
      { passages: PASSAGES, documents: 1 },
    ]);
  });

  test("that is known already is replaced in one piece: the old one is read until the new one is there", async () => {
    const { documents } = knowledge.storage.forTenant(tenant);
    const id = await documents.replace(document("okapi"));
    await expect(interrupted(died(2)).replace(document("giraffe"))).rejects.toThrow("killed");
    const [old, next] = [await found("okapi"), await found("giraffe")];
    expect([old.passages + next.passages, old.documents]).toEqual([PASSAGES, 1]);
    expect(await documents.replace(document("giraffe"))).toBe(id);
    expect(await found("okapi")).toEqual({ passages: 0, documents: 1 });
  });

  test("is told of as it is embedded and stored", async () => {
    const progress: IngestProgress[] = [];
    const text = Array.from({ length: PASSAGES }, (_, n) => `# Rule ${n}\n\nThe word of this one is number ${n}.`).join("\n\n");
    const files = [{ name: "rules.md", bytes: Buffer.from(text), sourceUri: "test:rules" }];
    await knowledge.ingestion.ingest({ files }, { tenant, grants: [everyone], signal, onProgress: (step) => progress.push(step) });
    const lastOf = (step: string) => progress.findLast(({ part }) => part?.step === step)?.part;
    expect([lastOf("embedded"), lastOf("stored")]).toEqual([
      { step: "embedded", done: PASSAGES, total: PASSAGES },
      { step: "stored", done: PASSAGES, total: PASSAGES },
    ]);
    expect(progress.at(-1)).toEqual({ done: 1, total: 1, path: "rules.md" });
  });
});
