import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import pg from "pg";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { migrateServer } from "../../src/store/migrate.ts";
import { fingerprintOf } from "./template.ts";

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

/**
 * A new database as an operator would make it: pgvector by a superuser, the schema by an owner, a login role that owns nothing. The schema
 * is a copy of one that was migrated once.
 */
export async function createServerDatabase(adminUrl: string, { migrate = true } = {}): Promise<ServerDatabase> {
  const name = `footnote_test_${randomBytes(6).toString("hex")}`;
  const owner = ownerOf(name);
  const login = { role: `${name}_login`, password: name };
  if (migrate) await createMigrated(adminUrl, name, owner);
  else await createEmpty(adminUrl, name, owner);
  await asAdmin(adminUrl, [createRole(login), ...(migrate ? [`GRANT footnote_app TO ${login.role}`] : [])]);
  return {
    url: new Secret(address(adminUrl, name, login)),
    ownerUrl: new Secret(address(adminUrl, name, owner)),
    superuserUrl: new Secret(address(adminUrl, name)),
    // As superuser: an owner is bound by row-level security too, since it is forced.
    asOwner: async <Row>(sql: string) => (await asAdmin(address(adminUrl, name), [sql])) as Row[],
    drop: async () => {
      await asAdmin(adminUrl, [`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${login.role}`, `DROP ROLE ${owner.role}`]);
    },
  };
}

interface Login {
  readonly role: string;
  readonly password: string;
}

const ownerOf = (database: string): Login => ({ role: `${database}_owner`, password: database });

const createRole = ({ role, password }: Login, rights = ""): string => `CREATE ROLE ${role} LOGIN ${rights} PASSWORD '${password}'`;

async function createEmpty(adminUrl: string, name: string, owner: Login): Promise<void> {
  await asAdmin(adminUrl, [createRole(owner, "CREATEROLE"), `CREATE DATABASE ${name} OWNER ${owner.role}`]);
  await asAdmin(address(adminUrl, name), ["CREATE EXTENSION vector"]);
}

async function createMigrated(adminUrl: string, name: string, owner: Login): Promise<void> {
  const template = await migratedTemplate(adminUrl);
  await asAdmin(adminUrl, [createRole(owner, "CREATEROLE"), `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${owner.role}`]);
  await asAdmin(address(adminUrl, name), [`REASSIGN OWNED BY ${ownerOf(template).role} TO ${owner.role}`]);
}

/** Key of the advisory lock under which one test file at a time looks for the template: the letters "test". */
const TEMPLATE_LOCK = 0x74657374;

/** The name of a migrated database that is copied and never opened. It stays on the server for as long as the migrations stay the same. */
async function migratedTemplate(adminUrl: string): Promise<string> {
  // Tests run the sources, benches what was compiled of them.
  const migrate = `src/store/migrate${extname(import.meta.url)}`;
  const name = `footnote_template_${await fingerprintOf(["migrations", migrate])}`;
  const lock = new pg.Client({ connectionString: adminUrl });
  await lock.connect();
  try {
    await lock.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rows } = await lock.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rows.length === 0) await makeTemplate(adminUrl, name);
    return name;
  } finally {
    await lock.end();
  }
}

/** Gives it its name last, so that one with that name is whole; what a killed test file left is removed first. */
async function makeTemplate(adminUrl: string, name: string): Promise<void> {
  const draft = `${name}_draft`;
  const owner = ownerOf(name);
  await asAdmin(adminUrl, [`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`, `DROP ROLE IF EXISTS ${owner.role}`]);
  await createEmpty(adminUrl, draft, owner);
  await migrateServer(new Secret(address(adminUrl, draft, owner)), silentLogger);
  // What the template's owner owns is to be in databases alone: REASSIGN OWNED would take the template as well.
  await asAdmin(adminUrl, [`ALTER DATABASE ${draft} OWNER TO CURRENT_USER`, `ALTER DATABASE ${draft} RENAME TO ${name}`]);
}

function address(adminUrl: string, database: string, login?: Login): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (login) {
    url.username = login.role;
    url.password = login.password;
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
