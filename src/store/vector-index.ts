import { createHash } from "node:crypto";
import pg from "pg";
import type { EntityManager } from "typeorm";
import { systemClock } from "../core/clock.ts";
import type { Secret } from "../core/secret.ts";
import { outward } from "./failures.ts";

/** pgvector indexes `vector` up to here; beyond, half precision. */
const MAX_VECTOR = 2_000;
/** Vectors of more dimensions than this cannot be indexed, and are compared one by one. */
const MAX_HALF_VECTOR = 4_000;
/** Key of the advisory lock that lets one process make indexes at a time: the letters "near". */
const INDEX_LOCK = 0x6e656172;
const LOCK_PAUSE_MS = 500;

/** Names of indexes. */
export interface MendedIndexes {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

export interface IndexedModel {
  /** The embedder's id. */
  readonly model: string;
  readonly dimensions: number;
}

/** The HNSW index of one model's vectors. Ids of models hold what a name may not, hence the hash. */
export const vectorIndexName = (model: string): string =>
  `embeddings_near_${createHash("sha256").update(model).digest("hex").slice(0, 16)}`;

/** As what vectors of so many dimensions are compared and indexed, in SQL. */
export const vectorType = (dimensions: number): string => `${dimensions > MAX_VECTOR ? "halfvec" : "vector"}(${dimensions})`;

/** Models whose vectors have no index that can be used, though they could. */
export async function unindexedModels(manager: EntityManager): Promise<readonly string[]> {
  await manager.query("SET LOCAL ROLE footnote_app");
  const models = await manager.query<IndexedModel[]>("SELECT model, dimensions FROM embedding_models ORDER BY model");
  const valid = await manager.query<{ name: string }[]>(
    "SELECT relname AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE indrelid = 'embeddings'::regclass AND indisvalid",
  );
  const there = new Set(valid.map(({ name }) => name));
  return models.filter((each) => each.dimensions <= MAX_HALF_VECTOR && !there.has(vectorIndexName(each.model))).map(({ model }) => model);
}

type Query = (sql: string) => Promise<readonly object[]>;

/**
 * Makes the index of every model in `embedding_models` that has none, anew where making it was broken off, and drops all others.
 * @param run one statement outside any transaction, as the tables' owner
 * @param concurrently without holding up anybody who reads or writes; the embedded database, which does one thing at a time, has no use for it
 */
export async function mendVectorIndexes(run: Query, { concurrently }: { readonly concurrently: boolean }): Promise<MendedIndexes> {
  const how = concurrently ? "CONCURRENTLY" : "";
  const models = (await run("SELECT model, dimensions FROM embedding_models ORDER BY model")) as readonly IndexedModel[];
  const there = (await run(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE i.indrelid = 'embeddings'::regclass AND a.amname = 'hnsw' ORDER BY 1`,
  )) as readonly { readonly name: string; readonly valid: boolean }[];
  const wanted = new Map(
    models.filter(({ dimensions }) => dimensions <= MAX_HALF_VECTOR).map((each) => [vectorIndexName(each.model), each]),
  );
  const stale = there.filter(({ name, valid }) => !valid || !wanted.has(name)).map(({ name }) => name);
  const kept = new Set(there.map(({ name }) => name).filter((name) => !stale.includes(name)));
  for (const name of stale) await run(`DROP INDEX ${how} IF EXISTS ${pg.escapeIdentifier(name)}`);
  const made: string[] = [];
  for (const [name, { model, dimensions }] of wanted) {
    if (kept.has(name)) continue;
    const type = vectorType(dimensions);
    await run(
      `CREATE INDEX ${how} ${pg.escapeIdentifier(name)} ON embeddings USING hnsw ((vector::${type}) ${type.replace(/\(.*/, "")}_cosine_ops)
       WHERE model = ${pg.escapeLiteral(model)} AND dimensions = ${dimensions}`,
    );
    made.push(name);
  }
  return { made, dropped: stale.filter((name) => !wanted.has(name)) };
}

/**
 * The same on a server, for `footnote migrate`: the program itself may not make indexes there.
 * @param url address of the schema's owner
 * @param configured what a program that has never run yet will use
 */
export async function mendServerIndexes(url: Secret, configured: IndexedModel): Promise<MendedIndexes> {
  const client = new pg.Client({ connectionString: url.reveal() });
  const run: Query = async (sql) => (await client.query(sql)).rows as object[];
  try {
    await client.connect();
    // Tried again and again instead of waited for in one statement: CONCURRENTLY waits for every statement that has begun before.
    while (((await run(`SELECT pg_try_advisory_lock(${INDEX_LOCK}) AS mine`)) as { mine: boolean }[])[0]?.mine !== true)
      await systemClock.sleep(LOCK_PAUSE_MS);
    await client.query(
      `INSERT INTO embedding_models (model, dimensions) SELECT $1, $2
       WHERE NOT EXISTS (SELECT FROM embedder_use WHERE configured = $1) ON CONFLICT DO NOTHING`,
      [configured.model, configured.dimensions],
    );
    return await mendVectorIndexes(run, { concurrently: true });
  } catch (thrown) {
    throw outward(thrown);
  } finally {
    await client.end();
  }
}
