import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { systemClock } from "../../src/core/clock.ts";
import { newId, type TenantId, tenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Secret } from "../../src/core/secret.ts";
import { Database, type DatabaseOptions } from "../../src/store/database.ts";
import { mendVectorIndexes } from "../../src/store/vector-index.ts";
import { makeTestDataFolder } from "./data-folder.ts";
import { placeDatabase } from "./migrated-template.ts";
import { createServerDatabase } from "./server-database.ts";

export type DatabaseKind = Database["kind"];

/** A superuser's address of a scratch server; databases and roles are created and dropped on it. */
export const serverUrl = process.env.FOOTNOTE_TEST_DATABASE_URL;

/** For `describe.each(testDatabases)`: the embedded database always, a server when FOOTNOTE_TEST_DATABASE_URL names one. */
export const testDatabases: readonly DatabaseKind[] = serverUrl ? ["embedded", "server"] : ["embedded"];

export interface TestDatabase {
  readonly database: Database;
  /** The data folder it was opened with. */
  readonly home: string;
  /** The server's address for the application's login role; undefined for the embedded database. */
  readonly url: Secret | undefined;
  /** A new tenant row; its names are random unless given. */
  addTenant(name?: string): Promise<TenantId>;
  /** Runs statements as the tables' owner, outside every protection: for looking behind the scenes. */
  asOwner<Row>(sql: string): Promise<Row[]>;
  /** Closes it and removes every trace. */
  close(): Promise<void>;
}

type Options = Partial<Omit<DatabaseOptions, "home" | "url">>;

/** A fresh, migrated database of its own. */
export async function openTestDatabase(kind: DatabaseKind = "embedded", options: Options = {}): Promise<TestDatabase> {
  const home = await makeTestDataFolder("footnote-test-");
  const server = kind === "server" && serverUrl ? await createServerDatabase(serverUrl) : undefined;
  if (!server) await placeDatabase(home);
  const database = await Database.open({ clock: systemClock, log: silentLogger, ...options, home, url: server?.url });
  return {
    database,
    home,
    url: server?.url,
    addTenant: (name) => addTenant(database, name),
    asOwner: async <Row>(sql: string) => (server ? server.asOwner<Row>(sql) : embeddedAsOwner<Row>(database, sql)),
    close: async () => {
      await database.close();
      await server?.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function addTenant(database: Database, name = `tenant-${randomBytes(6).toString("hex")}`): Promise<TenantId> {
  const id = newId();
  await database.system((manager) =>
    manager.query("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $3)", [id, `T${randomBytes(6).toString("hex")}`, name]),
  );
  return tenantId(id);
}

/** Brings the vectors' indexes up to date as the program does on the embedded database, and `footnote migrate` on a server. */
export async function mendIndexes({ database, asOwner }: TestDatabase): Promise<void> {
  if (database.kind === "server") await mendVectorIndexes((sql) => asOwner(sql), { concurrently: true });
  else await database.mendVectorIndexes();
}

/** On the embedded database the session is a superuser's: giving up the role is enough. */
const embeddedAsOwner = <Row>(database: Database, sql: string): Promise<Row[]> =>
  database.system(async (manager) => {
    await manager.query("SELECT set_config('role', 'none', true)");
    return (await manager.query(sql)) as Row[];
  });
