import type { ServerResponse } from "node:http";
import { AppError, type ErrorCode } from "../core/errors.ts";

/** The one form in which the API says what went wrong, beside its HTTP status. */
export interface ApiErrorBody {
  readonly status: "error";
  readonly error: { readonly code: string; readonly message: string };
  /** Names the record of the failed answer, where there is one. */
  readonly traceId?: string;
}

/** HTTP status by error code; whatever is not here is our own fault. */
const statuses: Partial<Record<ErrorCode, number>> = {
  REQUEST_INVALID: 400,
  QUESTION_EMPTY: 400,
  KEY_REFUSED: 401,
  ORIGIN_REFUSED: 403,
  PERSON_UNKNOWN: 403,
  PERSON_DEACTIVATED: 403,
  PERSON_IS_BOT: 403,
  PERSON_IS_OUTSIDER: 403,
  PLACE_HAS_OUTSIDERS: 403,
  WORKSPACE_UNKNOWN: 403,
  NOT_FOUND: 404,
  CHANNEL_UNKNOWN: 404,
  METHOD_REFUSED: 405,
  AUDIENCE_CHANGED: 409,
  BODY_TOO_LARGE: 413,
  BODY_TYPE_REFUSED: 415,
  RATE_LIMITED: 429,
  MODEL_FAILED: 502,
  ANSWER_CUT: 502,
  OVERLOADED: 503,
  SLACK_UNREACHABLE: 503,
  DATABASE_UNREACHABLE: 503,
};

/** Ends a request with an error. Only codes of the catalogue get out: anything else that was thrown is INTERNAL. */
export function respondError(
  response: ServerResponse,
  thrown: unknown,
  { traceId, headers = {} }: { readonly traceId?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const error = thrown instanceof AppError ? thrown : new AppError("INTERNAL");
  const { code, message } = error;
  const body: ApiErrorBody = { status: "error", error: { code, message }, ...(traceId !== undefined && { traceId }) };
  response.writeHead(statuses[code] ?? 500, {
    "Content-Type": "application/json; charset=utf-8",
    ...(code === "KEY_REFUSED" && { "WWW-Authenticate": "Bearer" }),
    ...headers,
  });
  response.end(`${JSON.stringify(body)}\n`);
}
