import type { Json } from "./state.ts";

/** An `{ ok: false }` answer with Slack's error code and whatever Slack adds to it. */
export class ApiError extends Error {
  readonly code: string;
  readonly extra: Json;

  constructor(code: string, extra: Json = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}
