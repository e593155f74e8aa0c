import { randomBytes } from "node:crypto";
import pg from "pg";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { migrateServer } from "../../src/store/migrate.ts";

/** A database of its own on the scratch server, owned by one role and used by another. */
export interface ServerDatabase {
  /** For the application's login role. */
  readonly url: Secret;
  /** For the role that owns the tables. */
  readonly ownerUrl: Secret;
  /** For the server's superuser. */
  readonly superuserUrl: Secret;
  asOwner<Row>(sql: string): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates and migrates a database as an operator would: pgvector by a superuser, the schema by an owner, a login role that owns nothing. */
export async function createServerDatabase(adminUrl: string, { migrate = true } = {}): Promise<ServerDatabase> {
  const name = `footnote_test_${randomBytes(6).toString("hex")}`;
  const [owner, login] = [`${name}_owner`, `${name}_login`];
  await asAdmin(adminUrl, [
    `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${name}'`,
    `CREATE ROLE ${login} LOGIN PASSWORD '${name}'`,
    `CREATE DATABASE ${name} OWNER ${owner}`,
  ]);
  await asAdmin(address(adminUrl, name), ["CREATE EXTENSION vector"]);
  const ownerUrl = new Secret(address(adminUrl, name, owner));
  if (migrate) {
    await migrateServer(ownerUrl, silentLogger);
    await asAdmin(adminUrl, [`GRANT footnote_app TO ${login}`]);
  }
  return {
    url: new Secret(address(adminUrl, name, login)),
    ownerUrl,
    superuserUrl: new Secret(address(adminUrl, name)),
    // As superuser: an owner is bound by row-level security too, since it is forced.
    asOwner: async <Row>(sql: string) => (await asAdmin(address(adminUrl, name), [sql])) as Row[],
    drop: async () => {
      await asAdmin(adminUrl, [`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${login}`, `DROP ROLE ${owner}`]);
    },
  };
}

function address(adminUrl: string, database: string, role?: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (role) {
    url.username = role;
    url.password = database;
  }
  return url.href;
}

/** Runs statements one by one outside a transaction; gives the last one's rows. */
async function asAdmin(url: string, statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
