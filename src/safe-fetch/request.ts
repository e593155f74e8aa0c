import type { IncomingHttpHeaders } from "node:http";
import { refused } from "./destination.ts";
import type { SafeRequest } from "./port.ts";

/** What is sent at one hop. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Fields that belong to the connection or that this program never sends to strangers. */
const ours: ReadonlySet<string> = new Set(
  "host connection content-length transfer-encoding keep-alive upgrade te trailer expect proxy-authorization cookie accept-encoding".split(
    " ",
  ),
);
/** The only fields that go along to another origin: everything else may be a key, whatever it is called. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);
/** Fields that describe a body that is not sent any more. */
const ofBody = /^content-/;

const AGENT = "Footnote/0.1";

/** @throws AppError FETCH_REFUSED for a body that is a stream */
export function outgoing({ method = "GET", headers, body }: SafeRequest): Outgoing {
  const fields: Record<string, string> = { "user-agent": AGENT, accept: "*/*" };
  new Headers(headers).forEach((value, name) => {
    if (!ours.has(name)) fields[name] = value;
  });
  if (body instanceof URLSearchParams) fields["content-type"] ??= "application/x-www-form-urlencoded;charset=UTF-8";
  return { method: method.toUpperCase(), headers: fields, body: bytesOf(body) };
}

function bytesOf(body: SafeRequest["body"]): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw refused("Its body cannot be sent.");
}

/**
 * What is sent after a redirect. As in browsers a POST becomes a GET, unless the status says that it must not.
 * @throws AppError FETCH_REFUSED where a body, which may hold a key, would go to another origin
 */
export function crossing(out: Outgoing, status: number, sameOrigin: boolean): Outgoing {
  const keeps = status === 307 || status === 308 || out.method === "GET" || out.method === "HEAD";
  if (!sameOrigin && keeps && out.body !== undefined) throw refused("It would have what was sent be sent to another place.");
  const kept = keeps ? out : { ...out, method: "GET", body: undefined };
  const headers = Object.entries(kept.headers).filter(
    ([name]) => (sameOrigin || harmless.has(name)) && (kept.body !== undefined || !ofBody.test(name)),
  );
  return { ...kept, headers: Object.fromEntries(headers) };
}

/** A response's fields as its reader gets them: the body is unpacked by then, and cookies are nobody's. */
export function fieldsOf(headers: IncomingHttpHeaders): Headers {
  const fields = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || /^(?:set-cookie2?|content-encoding|content-length|transfer-encoding|connection)$/.test(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) fields.append(name, one);
  }
  return fields;
}
