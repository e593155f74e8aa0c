import type { DataSource, EntityManager, QueryRunner } from "typeorm";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isUuid, type TenantId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import { isConflict, isConnectionLost, isUnprepared, outward } from "./failures.ts";
import type { Preparing } from "./prepared.ts";
import { inContext, type StatementContext } from "./statement-guard.ts";
import type { OpenedRow, Opening } from "./transaction.ts";

/** Further tries after a conflict or a lost connection. */
const RETRIES = 3;
/** Pause before the first further try; doubled each time, with jitter so that two rivals do not meet again. */
const RETRY_PAUSE_MS = 30;

export interface TransactionSettings {
  readonly clock: Clock;
  /** Longest time one statement may run; enforced by a server, ignored by the embedded database. */
  readonly statementTimeoutMs: number;
  readonly preparing: Preparing;
  readonly log: Logger;
}

/**
 * Runs `work` in one transaction as footnote_app, bound to a tenant (or to none: then tenant tables are empty).
 * Tried again on conflicts, where connections turn out not to keep statements, and on a connection lost before COMMIT was sent; once COMMIT is under way the outcome is unknown and
 * the error says DATABASE_UNREACHABLE instead.
 */
export async function runTransaction<T>(
  source: DataSource,
  tenant: TenantId | undefined,
  settings: TransactionSettings,
  work: (manager: EntityManager, opened: OpenedRow) => Promise<T>,
  first?: Opening,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const progress: Progress = { committing: false, lost: false };
    try {
      return await inContext((context) => once(source, tenant, settings, { work, first }, context, progress));
    } catch (thrown) {
      const lost = progress.lost || isConnectionLost(thrown);
      const unprepared = isUnprepared(thrown);
      if (unprepared) prepareNoMore(settings);
      const again = unprepared || isConflict(thrown) || (lost && !progress.committing);
      if (!again || attempt >= RETRIES) throw progress.lost ? new AppError("DATABASE_UNREACHABLE") : outward(thrown);
      await settings.clock.sleep(RETRY_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Poolers hand each transaction to another connection, and older ones don't tell it which statements it should have. */
function prepareNoMore({ preparing, log }: TransactionSettings): void {
  if (preparing.on) log.warn("Connections to the database do not keep prepared statements (a pooler?): they are not used any more.");
  preparing.on = false;
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
  { work, first }: { readonly work: (manager: EntityManager, opened: OpenedRow) => Promise<T>; readonly first: Opening | undefined },
  context: StatementContext,
  progress: Progress,
): Promise<T> {
  const runner = source.createQueryRunner();
  let broken: Error | undefined;
  try {
    const connection: Connection = await runner.connect();
    context.connection = connection;
    const opened = await begin(runner, connection, { tenant, timeoutMs: settings.statementTimeoutMs, first });
    context.phase = "work";
    const result = await work(runner.manager, opened);
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

interface Beginning {
  readonly tenant: TenantId | undefined;
  readonly timeoutMs: number;
  readonly first: Opening | undefined;
}

/** The part of pg's client that begins a transaction: several statements in one trip, with one result each. */
interface Connection {
  query(statements: string): Promise<unknown>;
}

/**
 * Begins a transaction and sets role, tenant and time limit for it alone, after making sure that nobody's tenant was left on the
 * connection. One trip instead of two: most transactions here are a statement long. Such a trip takes no parameters, hence the checks.
 * @returns the row that `first` gave
 */
async function begin(runner: QueryRunner, connection: Connection, { tenant, timeoutMs, first }: Beginning): Promise<OpenedRow> {
  if (tenant !== undefined && !isUuid(tenant)) throw new AppError("NO_TENANT_CONTEXT", "The tenant's id is not a UUID.");
  // As TypeORM notes it when it begins one itself, so that it ends this one.
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
  const [, bound, opened] = (await connection.query(
    `BEGIN; SELECT coalesce(current_setting('app.tenant_id', true), '') AS leftover, set_config('role', 'footnote_app', true),
            set_config('app.tenant_id', '${tenant ?? ""}', true), set_config('statement_timeout', '${Math.trunc(timeoutMs)}', true)${first ? `; ${first.sql}` : ""}`,
  )) as [unknown, Rows<{ readonly leftover: string }>, Rows<OpenedRow>?];
  if (bound.rows[0]?.leftover !== "") throw new AppError("NO_TENANT_CONTEXT", "A connection still carried another tenant.");
  return opened?.rows[0] ?? {};
}

interface Rows<Row> {
  readonly rows: readonly Row[];
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
