import { DataSource, type DataSourceOptions } from "typeorm";
import { migrations } from "../../migrations/index.ts";
import type { Logger } from "../core/logger.ts";
import { entities } from "./entities.ts";
import { failureCode } from "./failures.ts";
import type { Preparing } from "./prepared.ts";
import { guardedDriver } from "./statement-guard.ts";

/** The table in which TypeORM keeps which migrations have run. */
export const MIGRATIONS_TABLE = "schema_migrations";

/** Where a database answers: a server's address, or the directory of the embedded database's socket. */
export type Address = { readonly url: string } | { readonly socketDirectory: string };

export interface DataSourceSettings {
  readonly address: Address;
  readonly poolSize: number;
  /** How long one connection attempt may take, waiting for a free connection included; 0 waits for ever. */
  readonly connectTimeoutMs: number;
  readonly log: Logger;
  /** Present where statements may be kept by connections. */
  readonly preparing?: Preparing;
}

/** A TypeORM data source over the guarded pg driver. Never leaves this folder: transactions are the way in. */
export function createDataSource({ address, poolSize, connectTimeoutMs, log, preparing }: DataSourceSettings): DataSource {
  const where =
    "url" in address
      ? { url: address.url }
      : { host: address.socketDirectory, port: 5432, username: "postgres", password: "postgres", database: "postgres", ssl: false };
  const options: DataSourceOptions = {
    type: "postgres",
    ...where,
    driver: guardedDriver,
    poolSize,
    connectTimeoutMS: connectTimeoutMs,
    applicationName: "footnote",
    ...(preparing && { extra: { preparing } }),
    logging: false,
    installExtensions: false,
    entities,
    migrations,
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: "all",
    poolErrorHandler: (error: unknown) => log.warn("An idle database connection was lost.", { code: failureCode(error) }),
  };
  return new DataSource(options);
}
