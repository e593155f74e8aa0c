import type { DataSource, EntityManager, QueryRunner } from "typeorm";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isUuid, type TenantId } from "../core/ids.ts";
import { isConflict, isConnectionLost, outward } from "./failures.ts";
import { inContext, type StatementContext } from "./statement-guard.ts";

/** Further tries after a conflict or a lost connection. */
const RETRIES = 3;
/** Pause before the first further try; doubled each time, with jitter so that two rivals do not meet again. */
const RETRY_PAUSE_MS = 30;

export interface TransactionSettings {
  readonly clock: Clock;
  /** Longest time one statement may run; enforced by a server, ignored by the embedded database. */
  readonly statementTimeoutMs: number;
}

/**
 * Runs `work` in one transaction as footnote_app, bound to a tenant (or to none: then tenant tables are empty).
 * Tried again on conflicts, and on a connection lost before COMMIT was sent; once COMMIT is under way the outcome is unknown and
 * the error says DATABASE_UNREACHABLE instead.
 */
export async function runTransaction<T>(
  source: DataSource,
  tenant: TenantId | undefined,
  settings: TransactionSettings,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const progress: Progress = { committing: false, lost: false };
    try {
      return await inContext((context) => once(source, tenant, settings, work, context, progress));
    } catch (thrown) {
      const lost = progress.lost || isConnectionLost(thrown);
      const again = isConflict(thrown) || (lost && !progress.committing);
      if (!again || attempt >= RETRIES) throw progress.lost ? new AppError("DATABASE_UNREACHABLE") : outward(thrown);
      await settings.clock.sleep(RETRY_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** How far one attempt came. */
interface Progress {
  /** COMMIT was sent: whether it happened is no longer known when the connection breaks. */
  committing: boolean;
  lost: boolean;
}

async function once<T>(
  source: DataSource,
  tenant: TenantId | undefined,
  settings: TransactionSettings,
  work: (manager: EntityManager) => Promise<T>,
  context: StatementContext,
  progress: Progress,
): Promise<T> {
  const runner = source.createQueryRunner();
  let broken: Error | undefined;
  try {
    const connection: Connection = await runner.connect();
    context.connection = connection;
    await begin(runner, connection, tenant, settings.statementTimeoutMs);
    context.phase = "work";
    const result = await work(runner.manager);
    context.phase = "own";
    progress.committing = true;
    await runner.commitTransaction();
    return result;
  } catch (thrown) {
    const bound = context.phase === "work" || progress.committing;
    context.phase = "own";
    // TypeORM gives a connection back by itself when it breaks between two statements; the next one then fails for that reason.
    progress.lost = runner.isReleased;
    broken = (await rollBack(runner)) ?? (bound ? undefined : new Error("The connection could not be bound to a tenant."));
    throw thrown;
  } finally {
    context.phase = "ended";
    await release(runner, broken);
  }
}

/** The part of pg's client that begins a transaction: several statements in one trip, with one result each. */
interface Connection {
  query(statements: string): Promise<unknown>;
}

/**
 * Begins a transaction and sets role, tenant and time limit for it alone, after making sure that nobody's tenant was left on the
 * connection. One trip instead of two: most transactions here are a statement long. Such a trip takes no parameters, hence the checks.
 */
async function begin(runner: QueryRunner, connection: Connection, tenant: TenantId | undefined, timeoutMs: number): Promise<void> {
  if (tenant !== undefined && !isUuid(tenant)) throw new AppError("NO_TENANT_CONTEXT", "The tenant's id is not a UUID.");
  // As TypeORM notes it when it begins one itself, so that it ends this one.
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
  const [, bound] = (await connection.query(
    `BEGIN; SELECT coalesce(current_setting('app.tenant_id', true), '') AS leftover, set_config('role', 'footnote_app', true),
            set_config('app.tenant_id', '${tenant ?? ""}', true), set_config('statement_timeout', '${Math.trunc(timeoutMs)}', true)`,
  )) as [unknown, { readonly rows: readonly { readonly leftover: string }[] }];
  if (bound.rows[0]?.leftover !== "") throw new AppError("NO_TENANT_CONTEXT", "A connection still carried another tenant.");
}

/** Returns the error when the connection can no longer be used. */
async function rollBack(runner: QueryRunner): Promise<Error | undefined> {
  if (!runner.isTransactionActive || runner.isReleased) return undefined;
  return runner.rollbackTransaction().then(
    () => undefined,
    (error: Error) => error,
  );
}

/** Gives the connection back; a broken one is thrown away instead of being handed to the next transaction. */
async function release(runner: QueryRunner, broken: Error | undefined): Promise<void> {
  const pooled = runner as QueryRunner & { releasePostgresConnection?(error?: Error): Promise<void> };
  if (broken && pooled.releasePostgresConnection) await pooled.releasePostgresConnection(broken);
  else await runner.release();
}
