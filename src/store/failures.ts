import { QueryFailedError } from "typeorm";
import { AppError } from "../core/errors.ts";

/** PostgreSQL's five-letter code of a failure, or Node's (ECONNREFUSED, ...), or "". */
export function failureCode(thrown: unknown): string {
  const inner = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  const code = (inner as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/** Serialization failure and deadlock: the transaction did not happen and may be tried again. */
export const isConflict = (thrown: unknown): boolean => ["40001", "40P01"].includes(failureCode(thrown));

/** The connection does not know a statement that it was to keep, or may not use it any more: the transaction did not happen. */
export function isUnprepared(thrown: unknown): boolean {
  const inner = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  const code = failureCode(thrown);
  // A column's type was changed by a migration; the code alone stands for anything that Postgres does not do.
  return code === "26000" || code === "42P05" || (code === "0A000" && (inner as { routine?: unknown }).routine === "RevalidateCachedQuery");
}

// Class 08: connection exceptions; 57P01-57P03: shut down, crashed, starting up; 53300: too many connections.
const lostCodes = /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
// pg gives these no code.
const lostMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** Whether the connection broke or could not be made. What was sent last may or may not have happened. */
export function isConnectionLost(thrown: unknown): boolean {
  const inner = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  return lostCodes.test(failureCode(thrown)) || lostMessages.test(inner instanceof Error ? inner.message : "");
}

/**
 * What leaves the store: our own errors unwrapped, lost connections by name, and everything else without the values of its
 * parameters and rows, which are tenants' text.
 */
export function outward(thrown: unknown): unknown {
  if (!(thrown instanceof QueryFailedError)) return isConnectionLost(thrown) ? unreachable(thrown) : thrown;
  const inner: Error = thrown.driverError;
  if (inner instanceof AppError) return inner;
  if (isConnectionLost(thrown)) return unreachable(thrown);
  Reflect.set(thrown, "parameters", []);
  for (const key of ["detail", "where", "internalQuery"]) {
    Reflect.deleteProperty(inner, key);
    Reflect.deleteProperty(thrown, key);
  }
  return thrown;
}

const unreachable = (thrown: unknown) =>
  thrown instanceof AppError ? thrown : new AppError("DATABASE_UNREACHABLE", failureCode(thrown) || undefined);
