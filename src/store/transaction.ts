import type { EntityManager } from "typeorm";

/**
 * Runs `work` in one transaction that is bound to one tenant: row-level security shows and takes that tenant's rows only.
 * Inside, use nothing but the manager given (a second connection would deadlock on the embedded database). The transaction is tried
 * again up to three times on a serialization failure or deadlock, so `work` must be repeatable: no network calls inside.
 * `first` runs as it begins, in the same trip; the work gets the row it gives.
 */
export type TenantTransaction = <T>(work: (manager: EntityManager, opened?: OpenedRow) => Promise<T>, first?: Opening) => Promise<T>;

/** What the statement with which a transaction began has given; empty without one. */
export type OpenedRow = Readonly<Record<string, unknown>>;

/** A statement without parameters that gives one row. Made where what stands in it is known to be harmless. */
export interface Opening {
  readonly sql: string;
}

/** The same without a tenant: only the few global tables (tenants, turn_queue) have rows there. */
export type SystemTransaction = <T>(work: (manager: EntityManager) => Promise<T>) => Promise<T>;

/**
 * An expression for the SELECT or RETURNING of a statement: its transaction is not waited for to reach the disk. Only for what nobody has to
 * know after a crash, such as a trace. That a turn has begun is not of that kind: a message may be in Slack a moment later.
 */
export const unhurried = "set_config('synchronous_commit', 'off', true)";
