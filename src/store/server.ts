import type { DataSource } from "typeorm";
import { migrations } from "../../migrations/index.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { MIGRATIONS_TABLE } from "./data-source.ts";
import { failureCode, isConnectionLost } from "./failures.ts";
import { asInternal } from "./statement-guard.ts";

/** Tries to reach a server at start, and the pause before the second one; doubled each time (15 s in all). */
const CONNECT_TRIES = 5;
const CONNECT_PAUSE_MS = 1_000;

/** Connects to a server, makes sure that the login role cannot step around row-level security and that the schema is up to date. */
export async function connectServer(create: () => DataSource, clock: Clock, log: Logger): Promise<DataSource> {
  const source = await connect(create, clock, log);
  try {
    await asInternal(() => refuseUnsafeRole(source));
    await asInternal(() => refuseOldSchema(source));
    return source;
  } catch (thrown) {
    await source.destroy();
    throw thrown;
  }
}

/** Waits for a server that is still starting, unless fewer tries are given; a wrong password or name is not tried again. */
export async function connect(create: () => DataSource, clock: Clock, log: Logger, tries = CONNECT_TRIES): Promise<DataSource> {
  for (let attempt = 1; ; attempt++) {
    try {
      const source = create();
      await asInternal(() => source.initialize());
      return source;
    } catch (thrown) {
      if (!isConnectionLost(thrown) || attempt >= tries) throw new AppError("DATABASE_UNREACHABLE", messageOf(thrown));
      log.warn("The database cannot be reached yet.", { code: failureCode(thrown), attempt });
      await clock.sleep(CONNECT_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Memberships count as much as the role's own attributes: SET ROLE reaches them. Predefined roles listed can write the server's files. */
const UNSAFE_ROLE = `
  SELECT session_user AS login, reason FROM (
    SELECT CASE WHEN rolname = session_user THEN 0 ELSE 1 END AS rank, CASE WHEN rolsuper THEN 'it is a superuser' WHEN rolbypassrls THEN 'it has BYPASSRLS'
        WHEN rolcreaterole THEN 'it has CREATEROLE' ELSE 'it can write files or run programs on the server' END
        || CASE WHEN rolname = session_user THEN '' ELSE ' (as a member of ' || rolname || ')' END AS reason
      FROM pg_roles
      WHERE (rolsuper OR rolbypassrls OR rolcreaterole OR rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files'))
        AND pg_has_role(session_user, oid, 'MEMBER')
    UNION ALL
    SELECT 2, 'it owns the table ' || relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND pg_has_role(session_user, relowner, 'MEMBER')
    UNION ALL
    SELECT 3, 'it owns the schema ' || nspname FROM pg_namespace WHERE nspname = 'public' AND pg_has_role(session_user, nspowner, 'MEMBER')
  ) reasons ORDER BY rank LIMIT 1`;

/** @throws AppError DATABASE_ROLE_UNSAFE when the login role could step around row-level security */
export async function refuseUnsafeRole(source: DataSource): Promise<void> {
  const [unsafe] = (await source.query(UNSAFE_ROLE)) as { login: string; reason: string }[];
  if (!unsafe) return;
  throw new AppError(
    "DATABASE_ROLE_UNSAFE",
    `The role "${unsafe.login}": ${unsafe.reason}. Give DATABASE_URL a role of its own: ` +
      "CREATE ROLE footnote_login LOGIN PASSWORD '...' NOSUPERUSER NOBYPASSRLS NOCREATEROLE; GRANT footnote_app TO footnote_login;",
  );
}

/** @throws AppError DATABASE_NOT_MIGRATED or DATABASE_ROLE_UNFIT */
export async function refuseOldSchema(source: DataSource): Promise<void> {
  const [state] = (await source.query(
    `SELECT session_user AS login, to_regclass('public.${MIGRATIONS_TABLE}') IS NOT NULL AS migrated, to_regtype('vector') IS NOT NULL AS vector,
            EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'footnote_app' AND pg_has_role(session_user, oid, 'MEMBER')) AS member`,
  )) as { login: string; migrated: boolean; vector: boolean; member: boolean }[];
  if (!state?.migrated) throw new AppError("DATABASE_NOT_MIGRATED");
  if (!state.member) throw new AppError("DATABASE_ROLE_UNFIT", `Run: GRANT footnote_app TO "${state.login}";`);
  if (!state.vector) throw new AppError("DATABASE_NOT_MIGRATED", "The extension pgvector is missing: CREATE EXTENSION vector;");
  const done = await source.transaction(async (manager) => {
    await manager.query("SET LOCAL ROLE footnote_app");
    return (await manager.query(`SELECT name FROM ${MIGRATIONS_TABLE}`)) as { name: string }[];
  });
  const missing = migrations.map(({ name }) => name).filter((name) => !done.some((row) => row.name === name));
  if (missing.length > 0) throw new AppError("DATABASE_NOT_MIGRATED", `Missing: ${missing.join(", ")}.`);
}
