import { APIConnectionError, APIError, APIUserAbortError } from "openai";
import { safeReason } from "../safe-reason.ts";
import type { ModelFailure } from "./model.ts";

/** What an error object inside a stream, or the body of a refusal, means. */
export function failureFromBody(body: unknown, status?: number): ModelFailure {
  const { message, code, type } = fieldsOf(body);
  const text = safeReason(message || `The server answered ${status ?? "with an error"}.`);
  const said = `${code} ${type} ${message}`.toLowerCase();
  if (/tool_use_failed/.test(said)) return { code: "bad-answer", message: text, retryable: true };
  if (
    /tools?\b.*(stream|support|not allowed|unavailable)|(support|enable|allow).*\btools?\b|tool[_-](choice|call).*(support|enable|requires)|function calling/.test(
      said,
    )
  )
    return { code: "no-tools", message: text, retryable: false };
  if (status === 413 || tooLong.test(said)) {
    const contextTokens = windowIn(message);
    return { code: "context-length", message: text, retryable: false, ...(contextTokens && { contextTokens }) };
  }
  if (status === 429 || /rate[_ -]?limit|too many requests|overloaded|quota/.test(said))
    return { code: "rate-limited", message: text, retryable: !/insufficient_quota|billing/.test(said) };
  if (status !== undefined && status >= 300 && status < 500 && status !== 408 && status !== 409)
    return { code: "refused", message: text, retryable: false };
  return { code: "unreachable", message: text, retryable: true };
}

/** How servers say that a request does not fit: OpenAI, vLLM, llama.cpp, LM Studio, Anthropic, Gemini, Mistral, Groq, in this order. */
const tooLong =
  /context[_ ](length|window|size)|maximum context|prompt is too long|input is too long|token count.*exceeds|too large for model|request too large|too many tokens/;

/** The number in such a message that is the window, in tokens; the others are what was sent. */
const windows = [
  /(?:context (?:length|window|size)(?: is| of)?(?: only)?|tokens allowed)[\s(:]*(\d{3,})/i,
  /(\d{3,})(?: tokens)? (?:maximum|context)/i,
  /\blimit:? (\d{3,})/i,
];

function windowIn(message: string): number | undefined {
  const plain = message.replace(/(\d)[,_](?=\d{3})/g, "$1");
  for (const shape of windows) {
    const found = shape.exec(plain)?.[1];
    if (found) return Number(found);
  }
  return undefined;
}

/** What a thrown error of the SDK or of the connection means. */
export function failureFromThrown(thrown: unknown): ModelFailure {
  if (thrown instanceof APIUserAbortError) return { code: "aborted", message: "Stopped.", retryable: false };
  if (thrown instanceof APIConnectionError) return { code: "unreachable", message: "The server cannot be reached.", retryable: true };
  if (thrown instanceof APIError) return failureFromBody(thrown.error ?? { message: thrown.message }, thrown.status);
  if (thrown instanceof RangeError) return { code: "bad-answer", message: safeReason(thrown), retryable: false };
  return { code: "cut", message: "The connection broke off.", retryable: true };
}

/** How long the server asks us to wait, in milliseconds. @param now wall-clock time, for dates */
export function retryAfterMs(thrown: unknown, now: Date): number | undefined {
  const headers = thrown instanceof APIError ? thrown.headers : undefined;
  const ms = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers?.get("retry-after");
  if (!after) return undefined;
  const seconds = Number(after);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now.getTime();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function fieldsOf(body: unknown): { message: string; code: string; type: string } {
  if (typeof body === "string") return { message: body, code: "", type: "" };
  if (typeof body !== "object" || body === null) return { message: "", code: "", type: "" };
  const { error, message, code, type } = body as Record<string, unknown>;
  if (typeof error === "object" && error !== null) return fieldsOf(error);
  if (typeof error === "string" && !message) return { message: error, code: "", type: "" };
  return { message: String(message ?? ""), code: String(code ?? ""), type: String(type ?? "") };
}
