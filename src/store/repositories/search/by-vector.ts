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
/** Breadth of the index search: at a million vectors half of it finds .85 of the nearest ten, and twice as much no more than this. */
const EF_SEARCH = 400;
/** Most vectors an iterative scan looks at before it gives up finding more visible ones. */
const MAX_SCAN_TUPLES = 100_000;
/** Passages that tell how similar the query is to just anything. */
const SAMPLE = 200;
/** Up to so many visible documents their passages are counted; of more than these it is told from the mean of the first ones... */
const COUNTED = 200;
/** ...and from how many there are, of which it is enough to know so many: each has a passage or more. */
const MOST_COUNTED = EXACT_UP_TO + 1;

export interface NearestQuery extends VectorQuery {
  readonly filter: DocumentFilter | undefined;
  /** Visible passages up to which every vector is compared; another number only in tests and measurements. */
  readonly exactUpTo?: number | undefined;
}

/**
 * The nearest by cosine, best first, and how near just anything is: compared one by one or by the index, whichever is right for that many. Which one is
 * chosen in the statement that compares, so that whoever sees little, and has his answer in less time than a trip to the database takes, makes one.
 */
export async function byVector(
  manager: EntityManager,
  tenant: TenantId,
  query: NearestQuery,
  principals: readonly Principal[],
  limit: number,
): Promise<Nearest> {
  const values = [tenant, principals, `[${query.vector.join(",")}]`, Math.max(limit, OVER_FETCH)];
  const comparing = visibleDocuments(query.filter, 6);
  const compared = await manager.query<Row[]>(choose(comparing.sql, query), [...values, vectorIndexName(query.model), ...comparing.values]);
  const exact = compared[0]?.exact ?? true;
  const walking = visibleDocuments(query.filter, 5);
  const rows = exact ? compared : await manager.query<Row[]>(walkIndex(walking.sql, query), [...values, ...walking.values]);
  const found = rows.flatMap(({ passage_id, distance }) =>
    passage_id === null ? [] : { passageId: passageId(passage_id), similarity: 1 - distance },
  );
  const [first] = rows;
  return {
    candidates: found.slice(0, limit),
    sample: { count: Math.min(first?.count ?? 0, SAMPLE), mean: 1 - (first?.mean ?? 1) },
    exact,
  };
}

interface Row {
  readonly passage_id: string | null;
  readonly distance: number;
  readonly exact?: boolean;
  /** Size of the sample, and its mean distance. */
  readonly count: number;
  readonly mean: number | null;
}

/** Of every statement here: $1 tenant, $2 principals, $3 the query's vector, $4 limit. */
function parts({ model, vector }: NearestQuery) {
  const type = vectorType(vector.length);
  return {
    from: "FROM embeddings e WHERE e.tenant_id = $1",
    ofModel: `e.model = ${pg.escapeLiteral(model)} AND e.dimensions = ${vector.length}`,
    distance: `(e.vector::${type}) <=> $3::${type}`,
  };
}

/**
 * $5 is the name of the model's index. Whether to compare is chosen first, by how many passages are visible and how rare they are in the index; a false
 * one-time filter then costs nothing, and one row says that the index is to be walked. Every distance is computed once, and the planner cannot take
 * the approximate index. An array, and a model that no index can look up, have it fetch these documents' vectors and no others; by itself it would read all of
 * a workspace's for a tenth of them, or where it has no statistics.
 */
function choose(visible: string, query: NearestQuery): string {
  const { from, ofModel, distance } = parts(query);
  const { exactUpTo = EXACT_UP_TO } = query;
  const mostWhereRare = exactUpTo * (EXACT_UP_TO_WHERE_RARE / EXACT_UP_TO);
  return `
    WITH first AS (
      SELECT count(*) AS documents,
             coalesce(sum((SELECT passage_count FROM documents WHERE tenant_id = $1 AND id = some_of.document_id)), 0)::float8 AS passages
      FROM (${visible} LIMIT ${COUNTED}) AS some_of
    ),
    size AS MATERIALIZED (
      SELECT CASE WHEN documents < ${COUNTED} THEN passages
               ELSE passages / documents * (SELECT count(*) FROM (${visible} LIMIT ${MOST_COUNTED}) AS v) END AS visible
      FROM first
    ),
    choice AS MATERIALIZED (
      SELECT visible <= ${exactUpTo} OR NOT EXISTS (
        SELECT FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
        WHERE relname = $5 AND indisvalid AND (visible > ${mostWhereRare} OR visible >= reltuples * ${RARE})
      ) AS exact
      FROM size
    ),
    compared AS MATERIALIZED (
      SELECT e.passage_id, ${distance} AS distance
      ${from} AND e.document_id = ANY (ARRAY(${visible})) AND (${ofModel}) IS TRUE AND (SELECT exact FROM choice)
    ),
    usual AS (SELECT count(*)::int AS count, avg(distance)::float8 AS mean FROM compared)
    SELECT nearest.*, usual.*, choice.exact
    FROM choice, usual LEFT JOIN (SELECT * FROM compared ORDER BY distance, passage_id LIMIT $4) AS nearest ON true
    ORDER BY nearest.distance, nearest.passage_id`;
}

/**
 * The index reads its settings when the walk begins, which waits for the filter that sets them. Ids are made of hashes: the first few are a random
 * sample, and the same one every time.
 */
function walkIndex(visible: string, query: NearestQuery): string {
  const { distance, ...rest } = parts(query);
  const from = `${rest.from} AND e.document_id IN (${visible}) AND ${rest.ofModel}`;
  return `
    WITH settings AS MATERIALIZED (
      SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '${EF_SEARCH}', true),
             set_config('hnsw.max_scan_tuples', '${MAX_SCAN_TUPLES}', true)
    ),
    nearest AS MATERIALIZED (
      SELECT e.passage_id, ${distance} AS distance ${from} AND (SELECT settings IS NOT NULL FROM settings) ORDER BY ${distance} LIMIT $4
    ),
    usual AS (
      SELECT count(*)::int AS count, avg(${distance})::float8 AS mean
      FROM (SELECT e.vector ${from} ORDER BY e.passage_id LIMIT ${SAMPLE}) AS e
    )
    SELECT nearest.*, usual.* FROM nearest, usual ORDER BY nearest.distance, nearest.passage_id`;
}
