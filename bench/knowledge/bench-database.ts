import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { Database } from "../../src/store/database.ts";
import { migrateServer } from "../../src/store/migrate.ts";

export interface BenchDatabase {
  readonly database: Database;
  /** As the tables' owner, outside row-level security, without looking up what rows refer to. On the embedded database in one transaction. */
  asOwner<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A database of its own, removed by `close`. */
export async function openBenchDatabase(kind: "embedded" | "server"): Promise<BenchDatabase> {
  const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
  const parts = { home, clock: systemClock, log: silentLogger, statementTimeoutMs: 3_600_000 };
  if (kind === "embedded") {
    const database = await Database.open(parts);
    const asOwner = <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
      database.system(async (manager) => {
        await manager.query("SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)");
        return (await manager.query(sql, [...values])) as Row[];
      });
    const close = async () => {
      await database.close();
      await rm(home, { recursive: true, force: true });
    };
    return { database, asOwner, close };
  }
  const admin = process.env.FOOTNOTE_TEST_DATABASE_URL ?? "";
  const name = `footnote_bench_${randomBytes(6).toString("hex")}`;
  const run = async (url: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const own = new URL(admin);
  own.pathname = `/${name}`;
  await run(admin, `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`, `CREATE DATABASE ${name}`);
  await run(own.href, "CREATE EXTENSION vector");
  await migrateServer(new Secret(own.href), silentLogger);
  await run(admin, `GRANT footnote_app TO ${name}`);
  const login = new URL(own.href);
  login.username = name;
  login.password = name;
  const database = await Database.open({ ...parts, url: new Secret(login.href) });
  const owner = new pg.Client({ connectionString: own.href });
  await owner.connect();
  await owner.query("SET session_replication_role = replica");
  return {
    database,
    asOwner: async <Row>(sql: string, values: readonly unknown[] = []) => (await owner.query(sql, [...values])).rows as Row[],
    close: async () => {
      await database.close();
      await owner.end();
      await run(admin, `DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`);
      await rm(home, { recursive: true, force: true });
    },
  };
}
