import pg from "pg";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Secret } from "../core/secret.ts";
import { createDataSource } from "./data-source.ts";
import { failureCode, outward } from "./failures.ts";
import { connect } from "./server.ts";
import { asInternal } from "./statement-guard.ts";

/** Key of the advisory lock that lets one migrator run at a time: the letters "foot". */
const MIGRATION_LOCK = 0x666f6f74;
/** PostgreSQL's code for a table that is there already. */
const DUPLICATE_TABLE = "42P07";
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Brings a server's schema up to date; for `footnote migrate`.
 * @param url address of a role that owns the database (and may create roles, or footnote_app exists already)
 * @returns names of the migrations that were run now, in order
 */
export async function migrateServer(url: Secret, log: Logger): Promise<readonly string[]> {
  const create = () => createDataSource({ address: { url: url.reveal() }, poolSize: 2, connectTimeoutMs: CONNECT_TIMEOUT_MS, log });
  const source = await connect(create, systemClock, log);
  const lock = new pg.Client({ connectionString: url.reveal() });
  try {
    await lock.connect();
    await lock.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const done = await asInternal(() => source.runMigrations());
    return done.map(({ name }) => name);
  } catch (thrown) {
    if (failureCode(thrown) === DUPLICATE_TABLE)
      throw new AppError("DATABASE_NOT_MIGRATED", "It has tables that no migration made: give Footnote an empty database.");
    throw outward(thrown);
  } finally {
    await lock.end();
    await source.destroy();
  }
}
