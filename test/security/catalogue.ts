import type { TestDatabase } from "../fakes/test-database.ts";

/**
 * Tables without a tenant's rows of their own, each reviewed: the embedding model in use and those that have vectors (names of models); installations that were begun (hashes and times only); which migrations have
 * run; which workspaces there are; which turns wait (ids and times only). Anything else must be protected.
 */
export const globalTables = [
  "embedder_use",
  "embedding_models",
  "install_states",
  "schema_migrations",
  "source_schedule",
  "tenants",
  "turn_queue",
];

/** Tables that the program can add to and read, and never change: what stands there stays. */
export const appendOnlyTables = ["audit_log"];

export interface Column {
  readonly name: string;
  /** As Postgres writes it, e.g. "timestamp with time zone", "text[]", "vector(512)". */
  readonly type: string;
  readonly generated: boolean;
  /** The first value a CHECK (column IN (...)) names, if there is one. */
  readonly allowed: string | null;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Every table of the schema, partitions included, from the catalogue: a new table is in every test at once. */
export async function tablesOf(db: TestDatabase): Promise<readonly Table[]> {
  const rows = await db.asOwner<{ table: string } & Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attidentity <> '' OR a.attgenerated <> '' AS generated,
      (SELECT substring(pg_get_constraintdef(k.oid) FROM $re$ARRAY\\['([^']*)'$re$) FROM pg_constraint k
        WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] LIMIT 1) AS allowed
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1, a.attnum`);
  const names = [...new Set(rows.map(({ table }) => table))];
  return names.map((name) => ({ name, columns: rows.filter(({ table }) => table === name) }));
}

export const tenantTablesOf = async (db: TestDatabase): Promise<readonly Table[]> =>
  (await tablesOf(db)).filter(({ name }) => !globalTables.includes(name));

/** Values that any table takes, as SQL, by column; foreign keys aside. Every call's are different. */
export function sampleRow({ columns }: Table, tenant: string): ReadonlyMap<string, string> {
  const values = columns.filter(({ generated }) => !generated).map((column) => [column.name, sampleValue(column, tenant)] as const);
  return new Map(values);
}

function sampleValue({ name, type, allowed }: Column, tenant: string): string {
  if (name === "tenant_id") return `'${tenant}'`;
  if (allowed !== null) return `'${allowed}'`;
  if (type.endsWith("[]")) return "'{}'";
  if (type === "uuid") return "gen_random_uuid()";
  if (type === "text" || type.startsWith("character varying")) return "gen_random_uuid()::text";
  if (type === "jsonb" || type === "json") return "'{}'";
  if (type === "boolean") return "true";
  // What ends must end after it began.
  if (type.startsWith("timestamp") && name === "until") return "now() + interval '1 hour'";
  if (type.startsWith("timestamp") || type === "date") return "now()";
  if (type === "bytea") return "'x'::bytea";
  const dimensions = /^(?:half)?vec(?:tor)?(?:\((\d+)\))?$/.exec(type);
  if (dimensions) return `array_fill(1::real, ARRAY[${dimensions[1] ?? 1}])::${type}`;
  return "1";
}

/** As INSERT, for a table and its row. */
export const insertOf = ({ name }: Table, row: ReadonlyMap<string, string>): string =>
  `INSERT INTO "${name}" (${[...row.keys()].map((column) => `"${column}"`).join(", ")}) VALUES (${[...row.values()].join(", ")})`;

/** Puts a row into a table as its owner, whatever it refers to. */
export const plant = (db: TestDatabase, table: Table, tenant: string): Promise<unknown> =>
  db.asOwner(
    `DO $$ BEGIN PERFORM set_config('session_replication_role', 'replica', true); ${insertOf(table, sampleRow(table, tenant))}; END $$`,
  );
