import type { DataSource } from "typeorm";
import { migrations } from "../../migrations/index.ts";
import { type Check, checked, failed, ok, warning } from "../core/check.ts";
import { MIGRATIONS_TABLE } from "./data-source.ts";
import { refuseOldSchema, refuseUnsafeRole } from "./server.ts";
import { asInternal } from "./statement-guard.ts";
import { unindexedModels } from "./vector-index.ts";

/** Oldest Postgres that runs the schema. */
const OLDEST_POSTGRES = 15;
/** First pgvector whose index search goes on until enough permitted passages are found. */
const OLDEST_PGVECTOR = [0, 8] as const;

/** Version, pgvector, schema and (on a server) the login role and the index of every embedding model. */
export async function databaseChecks(source: DataSource, kind: "embedded" | "server"): Promise<readonly Check[]> {
  const checks = [checked("Database", () => versions(source, kind)), checked("Schema", () => schema(source, kind))];
  if (kind === "server")
    checks.push(
      checked("Database role", () => role(source)),
      checked("Vector index", () => vectorIndex(source)),
    );
  return (await Promise.all(checks)).flat();
}

async function versions(source: DataSource, kind: "embedded" | "server"): Promise<readonly Check[]> {
  const [row] = await asInternal(() =>
    source.query<{ version: string; vector: string | null }[]>(
      `SELECT current_setting('server_version') AS version, (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector`,
    ),
  );
  const { version = "", vector = null } = row ?? {};
  const what = kind === "embedded" ? "The embedded Postgres" : "The Postgres server";
  const postgres =
    Number.parseInt(version, 10) >= OLDEST_POSTGRES
      ? ok("Database", `${what} answers, version ${version.split(" ")[0]}.`)
      : failed("Database", `${what} is version ${version}.`, `Upgrade it to version ${OLDEST_POSTGRES} or newer.`);
  return [postgres, vectorCheck(vector)];
}

function vectorCheck(version: string | null): Check {
  if (version === null)
    return failed("pgvector", "The extension is missing.", "As an administrator of the database run: CREATE EXTENSION vector;");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor, oldMinor] = OLDEST_PGVECTOR;
  const recent = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  return recent
    ? ok("pgvector", `Version ${version}.`)
    : failed(
        "pgvector",
        `Version ${version} is too old.`,
        `Install ${OLDEST_PGVECTOR.join(".")} or newer, then run: ALTER EXTENSION vector UPDATE;`,
      );
}

/** The embedded database brings itself up to date when the program starts; a server's is its owner's to change. */
async function schema(source: DataSource, kind: "embedded" | "server"): Promise<readonly Check[]> {
  if (kind === "server") {
    await asInternal(() => refuseOldSchema(source));
    return [ok("Schema", `Up to date (${migrations.length} migrations).`)];
  }
  const [found] = await asInternal(() =>
    source.query<{ there: boolean }[]>(`SELECT to_regclass('public.${MIGRATIONS_TABLE}') IS NOT NULL AS there`),
  );
  const done = found?.there ? await asInternal(() => source.query<{ name: string }[]>(`SELECT name FROM ${MIGRATIONS_TABLE}`)) : [];
  const missing = migrations.filter(({ name }) => !done.some((row) => row.name === name)).length;
  const unknown = done.filter((row) => !migrations.some(({ name }) => name === row.name)).length;
  if (unknown > 0)
    return [
      failed("Schema", "A newer version of Footnote has changed this database.", "Start that version, or use another FOOTNOTE_HOME."),
    ];
  if (missing > 0) return [ok("Schema", `${missing} of ${migrations.length} migrations will be run at the next start.`)];
  return [ok("Schema", `Up to date (${migrations.length} migrations).`)];
}

async function role(source: DataSource): Promise<readonly Check[]> {
  await asInternal(() => refuseUnsafeRole(source));
  return [ok("Database role", "The login role is bound by row-level security.")];
}

/** The embedded database makes its indexes by itself. What a schema that is not there lacks is said by the check of the schema. */
async function vectorIndex(source: DataSource): Promise<readonly Check[]> {
  const [found] = await asInternal(() =>
    source.query<{ there: boolean }[]>("SELECT to_regclass('public.embedding_models') IS NOT NULL AS there"),
  );
  if (!found?.there) return [];
  const without = await asInternal(() => source.transaction((manager) => unindexedModels(manager)));
  if (without.length === 0) return [ok("Vector index", "Every embedding model has one.")];
  const summary = `${without.join(", ")} has none: a search by meaning compares every passage.`;
  return [warning("Vector index", summary, "As the owner of the tables: footnote migrate. It makes the index without holding anybody up.")];
}
