import pg from "pg";
import type { EntityManager } from "typeorm";
import { passageId, type TenantId } from "../../../core/ids.ts";
import type { Principal } from "../../../core/principal.ts";
import type { DocumentFilter } from "../../../knowledge/library.ts";
import type { Nearest, VectorQuery } from "../../../knowledge/storage.ts";
import { vectorIndexName, vectorType } from "../../vector-index.ts";
import { visibleDocuments } from "./visible.ts";

/** Up to this many visible passages every vector is compared: exact, and immune to what others have stored near the query. */
const EXACT_UP_TO = 20_000;
/**
 * A model's index holds the vectors of all tenants. Where less than this share of them is visible, walking it for the nearest visible ones takes longer than
 * comparing all of these, and finds fewer...
 */
const RARE = 0.1;
/** ...unless they are more than this: then only the index is quick enough. */
const EXACT_UP_TO_WHERE_RARE = 60_000;
/** The index is asked for at least this many and their order is mended: an iterative scan gives them only roughly sorted. */
const OVER_FETCH = 100;
/** Breadth of the index search. */
const EF_SEARCH = 200;
/** Most vectors an iterative scan looks at before it gives up finding more visible ones. */
const MAX_SCAN_TUPLES = 100_000;
/** Passages that tell how similar the query is to just anything. */
const SAMPLE = 200;

export interface NearestQuery extends VectorQuery {
  readonly filter: DocumentFilter | undefined;
  /** Visible passages up to which every vector is compared; another number only in tests and measurements. */
  readonly exactUpTo?: number | undefined;
}

/** The nearest by cosine, best first, and how near just anything is: compared one by one or by the index, whichever is right for that many. */
export async function byVector(
  manager: EntityManager,
  tenant: TenantId,
  query: NearestQuery,
  principals: readonly Principal[],
  limit: number,
): Promise<Nearest> {
  const { length } = query.vector;
  const type = vectorType(length);
  const visible = visibleDocuments(query.filter, 5);
  const distance = `(e.vector::${type}) <=> $3::${type}`;
  const from = `FROM embeddings e WHERE e.tenant_id = $1 AND e.document_id IN (${visible.sql})
    AND e.model = ${pg.escapeLiteral(query.model)} AND e.dimensions = ${length}`;
  const values = [tenant, principals, `[${query.vector.join(",")}]`, Math.max(limit, OVER_FETCH), ...visible.values];
  const exact = await comparesAll(manager, tenant, query, principals);
  const rows = exact ? await compareAll(manager, distance, from, values) : await walkIndex(manager, distance, from, values);
  const [first] = rows;
  return {
    candidates: rows.slice(0, limit).map((row) => ({ passageId: passageId(row.passage_id), similarity: 1 - row.distance })),
    sample: { count: Math.min(first?.count ?? 0, SAMPLE), mean: 1 - (first?.mean ?? 1) },
  };
}

interface Row {
  readonly passage_id: string;
  readonly distance: number;
  /** Size of the sample, and its mean distance. */
  readonly count: number;
  readonly mean: number;
}

/** Every distance is computed once; the planner cannot take the approximate index. */
const compareAll = (manager: EntityManager, distance: string, from: string, values: readonly unknown[]): Promise<Row[]> =>
  manager.query<Row[]>(
    `WITH compared AS MATERIALIZED (SELECT e.passage_id, ${distance} AS distance ${from}),
          usual AS (SELECT count(*)::int AS count, avg(distance)::float8 AS mean FROM compared)
     SELECT nearest.*, usual.* FROM (SELECT * FROM compared ORDER BY distance, passage_id LIMIT $4) AS nearest, usual
     ORDER BY nearest.distance, nearest.passage_id`,
    [...values],
  );

/** Ids are made of hashes: the first few are a random sample, and the same one every time. */
async function walkIndex(manager: EntityManager, distance: string, from: string, values: readonly unknown[]): Promise<Row[]> {
  await manager.query(
    `SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '${EF_SEARCH}', true),
            set_config('hnsw.max_scan_tuples', '${MAX_SCAN_TUPLES}', true)`,
  );
  return await manager.query<Row[]>(
    `WITH nearest AS MATERIALIZED (SELECT e.passage_id, ${distance} AS distance ${from} ORDER BY ${distance} LIMIT $4),
          usual AS (
            SELECT count(*)::int AS count, avg(${distance})::float8 AS mean
            FROM (SELECT e.vector ${from} ORDER BY e.passage_id LIMIT ${SAMPLE}) AS e
          )
     SELECT nearest.*, usual.* FROM nearest, usual ORDER BY nearest.distance, nearest.passage_id`,
    [...values],
  );
}

/** Chosen by how many passages are visible, and by how rare they are in the index. */
async function comparesAll(
  manager: EntityManager,
  tenant: TenantId,
  { model, filter, exactUpTo = EXACT_UP_TO }: NearestQuery,
  principals: readonly Principal[],
): Promise<boolean> {
  const visible = visibleDocuments(filter, 4);
  const [row] = await manager.query<{ visible: number; indexed: number | null }[]>(
    `SELECT (SELECT coalesce(sum(passage_count), 0)::float8 FROM documents WHERE tenant_id = $1 AND id IN (${visible.sql})) AS visible,
            (SELECT max(reltuples)::float8 FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE relname = $3 AND indisvalid) AS indexed`,
    [tenant, principals, vectorIndexName(model), ...visible.values],
  );
  if (row === undefined || row.indexed === null || row.visible <= exactUpTo) return true;
  const mostWhereRare = exactUpTo * (EXACT_UP_TO_WHERE_RARE / EXACT_UP_TO);
  return row.visible <= mostWhereRare && row.visible < row.indexed * RARE;
}
