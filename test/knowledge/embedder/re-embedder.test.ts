import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { everyone } from "../../../src/core/principal.ts";
import { createLibrary } from "../../../src/knowledge/create-library.ts";
import type { Embedder } from "../../../src/knowledge/embedder/port.ts";
import { ReEmbedder } from "../../../src/knowledge/embedder/re-embedder.ts";
import { EmbedderUseRepository } from "../../../src/store/repositories/embedder-use.ts";
import { EmbeddingRepository } from "../../../src/store/repositories/embeddings.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { type KnowledgeFixture, openKnowledge } from "../knowledge-fixture.ts";
import { type WordEmbedder, wordEmbedder } from "../word-embedder.ts";

const { signal } = new AbortController();
const options = { principals: [everyone], limit: 5, signal };
/** More than two batches, so that a switch can be broken off in the middle. */
const SECTIONS = 66;
const LEAVES = "Okapis eat leaves quietly.";

describe.each(testDatabases)("switching to another embedding model (%s)", (kind) => {
  let knowledge: KnowledgeFixture;
  let tenant: TenantId;
  let use: EmbedderUseRepository;
  let small: WordEmbedder;
  let inUse: Embedder;
  let re: ReEmbedder;
  const rowsOf = (id: TenantId) => new EmbeddingRepository(id, knowledge.test.database.forTenant(id));
  const found = async (query: string) => {
    const library = createLibrary({ storage: knowledge.storage, embedder: () => inUse, log: silentLogger });
    return (await library.forTenant(tenant).semantic(query, options)).hits[0]?.text;
  };

  beforeAll(async () => {
    knowledge = await openKnowledge(kind);
    use = new EmbedderUseRepository(knowledge.test.database.system);
    tenant = await knowledge.test.addTenant();
    const sections = Array.from({ length: SECTIONS - 1 }, (_, n) => `# Rule ${n}\n\nThe word of this one is number ${n}.`);
    await knowledge.add(tenant, "rules.md", sections.join("\n\n"));
    await knowledge.add(tenant, "zoo.md", LEAVES);
    await use.configure(knowledge.embedder);
  });
  afterAll(() => knowledge.test.close());
  beforeEach(async () => {
    await use.want(knowledge.embedder);
    await use.switchTo(knowledge.embedder.id);
    small = wordEmbedder("small-32", 32);
    await rowsOf(tenant).forget(small.id);
    inUse = knowledge.embedder;
    const all = [knowledge.embedder, small];
    re = new ReEmbedder({
      use,
      rowsOf,
      tenants: async () => [tenant],
      open: async (id) => {
        const embedder = all.find((each) => each.id === id);
        if (!embedder) throw new AppError("EMBEDDER_UNKNOWN");
        return embedder;
      },
      inUse: (embedder) => {
        inUse = embedder;
      },
      ...{ clock: systemClock, log: silentLogger },
    });
  });

  test("while vectors are made, questions are asked with the model in use; then with the other, of another dimension", async () => {
    const embed = small.embed.bind(small);
    const meanwhile: (string | undefined)[] = [];
    small.embed = async (...given) => {
      meanwhile.push(inUse.id, await found(LEAVES));
      return embed(...given);
    };
    await use.want(small);
    await re.run(signal);
    expect(new Set(meanwhile)).toEqual(new Set([knowledge.embedder.id, LEAVES]));
    expect([inUse.id, await use.read()]).toEqual([small.id, { current: small.id, wanted: small.id }]);
    expect(await rowsOf(tenant).progress(small.id)).toEqual({ passages: SECTIONS, embedded: SECTIONS });
    small.embed = embed;
    expect(await found(LEAVES)).toBe(LEAVES);
  });

  test("a run that was broken off goes on where it was, and a document that came meanwhile is not forgotten", async () => {
    await use.want(small);
    const embed = small.embed.bind(small);
    small.embed = async (...given) => {
      if (small.embedded.length > 0) throw new AppError("EMBEDDER_FAILED");
      return embed(...given);
    };
    await expect(re.run(signal)).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    const first = small.embedded.length;
    expect(first).toBeGreaterThan(0);
    expect([inUse.id, (await use.read()).current]).toEqual([knowledge.embedder.id, knowledge.embedder.id]);
    await knowledge.add(tenant, "late.md", "A giraffe came late.");
    small.embed = embed;
    await re.run(signal);
    expect(small.embedded).toHaveLength(SECTIONS + 1);
    expect(await found("A giraffe came late.")).toBe("A giraffe came late.");
    await knowledge.ingestion.remove(
      tenant,
      (await knowledge.storage.forTenant(tenant).documents.findBySource("test:late.md"))?.id as never,
    );
  });

  test("somebody who changes their mind in between gets what they wanted last, and one process at a time makes vectors", async () => {
    await use.want(small);
    const embed = small.embed.bind(small);
    small.embed = async (...given) => {
      expect(await use.claim(60_000)).toBeUndefined();
      await use.want(knowledge.embedder);
      return embed(...given);
    };
    await re.run(signal);
    expect([inUse.id, await use.read()]).toEqual([
      knowledge.embedder.id,
      { current: knowledge.embedder.id, wanted: knowledge.embedder.id },
    ]);
    expect(small.embedded.length).toBeLessThan(SECTIONS);
  });

  test("another model in the configuration is prepared first; one that is gone from it is replaced at once", async () => {
    await use.configure(small);
    expect(await use.read()).toEqual({ current: knowledge.embedder.id, wanted: small.id });
    await re.adopt();
    expect(inUse.id).toBe(knowledge.embedder.id);
    await use.configure({ id: "gone-8", dimensions: 8 });
    await use.want(small);
    await knowledge.test.asOwner("UPDATE embedder_use SET current = 'gone-8'");
    await re.adopt();
    expect(inUse.id).toBe(small.id);
    await use.configure(knowledge.embedder);
  });

  test("of a document that changed only the passages that are new are embedded", async () => {
    const text = (last: string) => `# One\n\nAn elephant.\n\n# Two\n\n${last}`;
    await knowledge.add(tenant, "animals.md", text("A mouse."));
    const before = knowledge.embedder.embedded.length;
    await knowledge.add(tenant, "animals.md", text("A moose."));
    expect(knowledge.embedder.embedded.slice(before)).toEqual([expect.stringContaining("A moose.")]);
    const other = await knowledge.test.addTenant();
    await knowledge.add(other, "animals.md", text("A moose."));
    expect(knowledge.embedder.embedded.slice(before)).toHaveLength(3);
  });
});
