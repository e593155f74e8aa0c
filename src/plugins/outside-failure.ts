import { AppError } from "../core/errors.ts";
import type { ToolResult } from "./contract.ts";
import { failure } from "./define.ts";

/** Something that can be expected of a service elsewhere: the model is told, and may do something else. */
export class OutsideFailure extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, retryable = false) {
    super(message);
    this.name = "OutsideFailure";
    this.code = code;
    this.retryable = retryable;
  }
}

/** What was thrown as a tool's result; what nobody expects, and the end of a call that was stopped, are thrown on. */
export function failed(thrown: unknown, signal: AbortSignal): ToolResult {
  signal.throwIfAborted();
  if (thrown instanceof OutsideFailure) return failure(thrown.code, thrown.message, { retryable: thrown.retryable });
  if (thrown instanceof AppError) return failure(thrown.code, thrown.message, { retryable: thrown.code === "FETCH_FAILED" });
  throw thrown;
}
