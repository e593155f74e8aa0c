import type { AgentEvent } from "../../agent/events.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";

/** The end people see when something failed: the catalogue's sentence and the id to ask about. */
export const failure = (code: ErrorCode, id: string): Extract<AgentEvent, { type: "answer-error" }> => ({
  type: "answer-error",
  code,
  message: code.startsWith("PERSON_") ? new AppError(code).message : new AppError(code, `Error id: ${id}`).message,
  // Who cannot be looked up now may well be known in a minute.
  retryable: code === "PERSON_UNKNOWN" || !code.startsWith("PERSON_"),
});
