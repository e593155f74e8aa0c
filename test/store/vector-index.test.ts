import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { TenantId } from "../../src/core/ids.ts";
import { everyone } from "../../src/core/principal.ts";
import { EmbedderUseRepository } from "../../src/store/repositories/embedder-use.ts";
import { PassageRepository } from "../../src/store/repositories/passages.ts";
import type { TenantTransaction } from "../../src/store/transaction.ts";
import { mendServerIndexes, vectorIndexName } from "../../src/store/vector-index.ts";
import { createServerDatabase } from "../fakes/server-database.ts";
import { mendIndexes, openTestDatabase, serverUrl, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

/** Two models of one size, one of a size that nobody has heard of, one too large for any index, and one with a strange name. */
const first = { id: "first-48", dimensions: 48 };
const second = { id: "second-48", dimensions: 48 };
const odd = { id: "odd-2500", dimensions: 2_500 };
const huge = { id: "huge-5000", dimensions: 5_000 };
const quoted = { id: `o'brien "embed"`, dimensions: 8 };

describe.each(testDatabases)("indexes of embedding models, on the %s database", (kind) => {
  let db: TestDatabase;
  let use: EmbedderUseRepository;
  let tenant: TenantId;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
    use = new EmbedderUseRepository(db.database.system);
    tenant = await db.addTenant();
  });
  afterAll(() => db.close());

  const indexes = async () => {
    const rows = await db.asOwner<{ name: string }>(
      `SELECT c.relname AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = c.relam
       WHERE indrelid = 'embeddings'::regclass AND amname = 'hnsw' AND indisvalid ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const namesOf = (...models: { readonly id: string }[]) => models.map(({ id }) => vectorIndexName(id)).sort();
  /** How the database would go about a search with this model, were every other way forbidden that it may choose. */
  const plan = async ({ id, dimensions }: typeof first) => {
    const asked: [string, unknown[]][] = [];
    const transaction: TenantTransaction = (work) =>
      db.database.forTenant(tenant)((manager) => {
        const query = (sql: string, values: unknown[] = []) => {
          asked.push([sql, values]);
          return manager.query(sql, values);
        };
        return work(new Proxy(manager, { get: (of, name) => (name === "query" ? query : Reflect.get(of, name)) }));
      });
    const rows = new PassageRepository(transaction, tenant, { exactUpTo: -1 });
    await rows.byVector({ model: id, vector: new Float32Array(dimensions).fill(1) }, [everyone], 5);
    const [sql, values] = asked.findLast(([text]) => text.includes("AS distance")) ?? ["", []];
    return db.database.forTenant(tenant)(async (manager) => {
      await manager.query("SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)");
      return JSON.stringify(await manager.query(`EXPLAIN ${sql}`, values));
    });
  };

  test("each model has its own, whatever its size and name; a search walks that of its model and no other", async () => {
    for (const model of [first, second, odd, huge, quoted]) await use.want(model);
    await mendIndexes(db);
    expect(await indexes()).toEqual(namesOf(first, second, odd, quoted));
    for (const model of [first, odd, quoted]) {
      const steps = await plan(model);
      expect(steps).toContain(vectorIndexName(model.id));
      expect(steps).not.toContain(vectorIndexName(second.id));
    }
    expect(await plan(second)).toContain(vectorIndexName(second.id));
    // None is possible: the search goes without.
    expect(await plan(huge)).not.toContain("using embeddings_near");
    expect([await use.hasIndex(first.id), await use.hasIndex(huge.id)]).toEqual([true, false]);
    if (kind === "server")
      expect(await db.database.checks()).toContainEqual(expect.objectContaining({ name: "Vector index", status: "ok" }));
  });

  test("a model that is forgotten loses its index; the others keep theirs; one that was broken off is made anew", async () => {
    await use.forget(second.id);
    await db.asOwner(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${vectorIndexName(first.id)}'::regclass`);
    expect(await use.hasIndex(first.id)).toBe(false);
    if (kind === "server")
      expect(await db.database.checks()).toContainEqual(
        expect.objectContaining({ name: "Vector index", status: "warning", summary: expect.stringContaining(first.id) }),
      );
    await mendIndexes(db);
    expect(await indexes()).toEqual(namesOf(first, odd, quoted));
    await mendIndexes(db);
    expect(await indexes()).toEqual(namesOf(first, odd, quoted));
  });
});

const onServer = serverUrl ? describe : describe.skip;

onServer("footnote migrate, on a server", () => {
  test("makes the index of the configured model before the program has run, leaves what an operator chose, and may run twice at once", async () => {
    const server = await createServerDatabase(serverUrl ?? "");
    try {
      const configured = { model: first.id, dimensions: first.dimensions };
      const both = await Promise.all([mendServerIndexes(server.ownerUrl, configured), mendServerIndexes(server.ownerUrl, configured)]);
      expect(both.flatMap(({ made }) => made)).toEqual([vectorIndexName(first.id)]);
      // It is in use elsewhere by now, and the operator has made another one of it.
      await server.asOwner(`INSERT INTO embedder_use (configured, current, wanted) VALUES ('${first.id}', '${second.id}', '${second.id}')`);
      await server.asOwner(`DELETE FROM embedding_models; INSERT INTO embedding_models VALUES ('${second.id}', 48)`);
      expect(await mendServerIndexes(server.ownerUrl, configured)).toEqual({
        made: [vectorIndexName(second.id)],
        dropped: [vectorIndexName(first.id)],
      });
    } finally {
      await server.drop();
    }
  });
});
