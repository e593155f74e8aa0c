import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { EntityManager } from "typeorm";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { Database } from "../../src/store/database.ts";
import { migrateServer } from "../../src/store/migrate.ts";

export interface BenchDatabase {
  readonly database: Database;
  /** As the tables' owner, outside row-level security, without looking up what rows refer to. On the embedded database in one transaction. */
  asOwner<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A transaction as the tables' owner, of as many trips as one of the program's. */
  unprotected<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Memory for making the vector index on a server. */
const INDEX_MEMORY = "2GB";

/** A database of its own, removed by `close` unless it has a name: then it is kept, and found again under that name. */
export function openBenchDatabase(kind: "embedded" | "server", keep: string | undefined): Promise<BenchDatabase> {
  return kind === "embedded" ? openEmbedded(keep) : openServer(keep);
}

const parts = { clock: systemClock, log: silentLogger, statementTimeoutMs: 3_600_000 };

async function openHome(keep: string | undefined) {
  if (keep === undefined) {
    const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
    return { home, close: () => rm(home, { recursive: true, force: true }) };
  }
  const home = join(tmpdir(), `footnote-bench-kept-${keep}`);
  await mkdir(home, { recursive: true });
  return { home, close: async () => {} };
}

async function openEmbedded(keep: string | undefined): Promise<BenchDatabase> {
  const { home, close } = await openHome(keep);
  const database = await Database.open({ ...parts, home });
  const unprotected: BenchDatabase["unprotected"] = (work) =>
    database.system(async (manager) => {
      await manager.query("SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)");
      return await work(manager);
    });
  return {
    database,
    unprotected,
    asOwner: <Row>(sql: string, values: readonly unknown[] = []) => unprotected((manager) => manager.query<Row[]>(sql, [...values])),
    close: async () => {
      await database.close();
      await close();
    },
  };
}

async function openServer(keep: string | undefined): Promise<BenchDatabase> {
  const { home, close } = await openHome(undefined);
  const admin = process.env.FOOTNOTE_TEST_DATABASE_URL ?? "";
  const name = `footnote_bench_${keep ?? randomBytes(6).toString("hex")}`;
  const run = async (url: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const results: object[][] = [];
    for (const statement of statements) results.push((await client.query<object>(statement)).rows);
    await client.end();
    return results.flat();
  };
  const own = new URL(admin);
  own.pathname = `/${name}`;
  if ((await run(admin, `SELECT FROM pg_database WHERE datname = '${name}'`)).length === 0) {
    await run(admin, `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`, `CREATE DATABASE ${name}`);
    await run(own.href, "CREATE EXTENSION vector");
    await migrateServer(new Secret(own.href), silentLogger);
    await run(admin, `GRANT footnote_app TO ${name}`);
  }
  const login = new URL(own.href);
  login.username = name;
  login.password = name;
  const database = await Database.open({ ...parts, home, url: new Secret(login.href) });
  const owner = new pg.Client({ connectionString: own.href });
  await owner.connect();
  await owner.query(`SET session_replication_role = replica; SET maintenance_work_mem = '${INDEX_MEMORY}'`);
  const asOwner = async <Row>(sql: string, values: readonly unknown[] = []) => (await owner.query(sql, [...values])).rows as Row[];
  return {
    database,
    asOwner,
    unprotected: async (work) => {
      await owner.query("BEGIN; SELECT set_config('statement_timeout', '3600000', true)");
      const result = await work({ query: asOwner } as never);
      await owner.query("COMMIT");
      return result;
    },
    close: async () => {
      await database.close();
      await owner.end();
      if (keep === undefined) await run(admin, `DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`);
      await close();
    },
  };
}
