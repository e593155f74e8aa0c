import type { DataSource } from "typeorm";
import type { Check } from "../core/check.ts";
import type { Clock } from "../core/clock.ts";
import type { TenantId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Secret } from "../core/secret.ts";
import { createDataSource } from "./data-source.ts";
import { databaseChecks } from "./database-checks.ts";
import { type Embedded, startEmbedded } from "./embedded/embedded.ts";
import { outward } from "./failures.ts";
import { runTransaction, type TransactionSettings } from "./run-transaction.ts";
import { connectServer } from "./server.ts";
import { asInternal } from "./statement-guard.ts";
import type { SystemTransaction, TenantTransaction } from "./transaction.ts";
import { mendVectorIndexes } from "./vector-index.ts";

export interface DatabaseOptions {
  /** A Postgres server; without it the embedded database under `<home>/database` is used. */
  readonly url?: Secret | undefined;
  /** The data folder; created if missing. */
  readonly home: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Connections at most: 10 unless given. On the embedded database they take turns in one session. */
  readonly poolSize?: number;
  /** Longest time one statement may run on a server, in milliseconds: 30,000 unless given. */
  readonly statementTimeoutMs?: number;
}

const DEFAULT_POOL_SIZE = 10;
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
/** On a server a transaction gives up after this long without a connection; the embedded database's queue is waited for. */
const SERVER_CONNECT_TIMEOUT_MS = 10_000;

/**
 * The one way to the database: every statement runs in a transaction as a role that row-level security binds. Everything else that
 * tries to reach it fails with NO_TENANT_CONTEXT.
 */
export class Database {
  readonly kind: "embedded" | "server";
  /** Global tables (tenants, turn_queue) only: tenant tables look empty here. */
  readonly system: SystemTransaction;
  readonly #source: DataSource;
  readonly #embedded: Embedded | undefined;
  readonly #settings: TransactionSettings;

  private constructor(source: DataSource, embedded: Embedded | undefined, settings: TransactionSettings) {
    this.kind = embedded ? "embedded" : "server";
    this.#source = source;
    this.#embedded = embedded;
    this.#settings = settings;
    this.system = (work) => runTransaction(this.#source, undefined, this.#settings, work);
  }

  /**
   * Opens the database and brings the embedded one up to date. Throws HOME_LOCKED, DATABASE_UNREACHABLE, DATABASE_NOT_MIGRATED,
   * DATABASE_ROLE_UNSAFE or DATABASE_ROLE_UNFIT, each naming the mend.
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const { url, home, clock, log, poolSize = DEFAULT_POOL_SIZE } = options;
    const preparing = { on: true };
    const settings = { clock, log, preparing, statementTimeoutMs: options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS };
    if (url) {
      const address = { url: url.reveal() };
      const connect = () => createDataSource({ address, poolSize, connectTimeoutMs: SERVER_CONNECT_TIMEOUT_MS, log, preparing });
      return new Database(await connectServer(connect, clock, log), undefined, settings);
    }
    const embedded = await startEmbedded(home, clock, log);
    try {
      const { socketDirectory } = embedded;
      const source = createDataSource({ address: { socketDirectory }, poolSize, connectTimeoutMs: 0, log, preparing });
      await asInternal(async () => {
        await source.initialize();
        await source.runMigrations();
      });
      return new Database(source, embedded, settings);
    } catch (thrown) {
      await embedded.close();
      throw outward(thrown);
    }
  }

  /** Transactions of one tenant. Throws NO_TENANT_CONTEXT when used with something that is not a UUID. */
  forTenant(tenant: TenantId): TenantTransaction {
    return (work, first) => runTransaction(this.#source, tenant, this.#settings, work, first);
  }

  /**
   * Makes the index of every embedding model that has none, and drops those of models that are gone. Does nothing on a server, where the program may
   * not: there `footnote migrate` does, as the tables' owner.
   */
  async mendVectorIndexes(): Promise<void> {
    if (this.kind === "server") return;
    await asInternal(() => mendVectorIndexes((sql) => this.#source.query<object[]>(sql), { concurrently: false }));
  }

  /** What there is to say about the database behind this connection. */
  checks(): Promise<readonly Check[]> {
    return databaseChecks(this.#source, this.kind);
  }

  async close(): Promise<void> {
    await this.#source.destroy();
    await this.#embedded?.close();
  }
}
