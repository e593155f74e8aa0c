import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { HttpTransport } from "./server.ts";

/** How the requests to one server go out. */
export type ServerFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Longest answer to one request, in bytes, and longest stream that stays open for news. Then it is opened anew. */
const LONGEST_ANSWER = 8 * 1024 * 1024;
const LONGEST_STREAM = 256 * 1024 * 1024;

/** Requests to one server, with the operator's headers, which go to its own origin and nowhere else. */
export function serverFetch({ url, headers }: HttpTransport, safeFetch: SafeFetch): ServerFetch {
  const own = new URL(url).origin;
  return (to, init = {}) => {
    const target = new URL(to);
    const all = new Headers(init.headers);
    if (target.origin === own) for (const [name, value] of Object.entries(headers)) all.set(name, value.reveal());
    const bytes = init.method === "POST" ? LONGEST_ANSWER : LONGEST_STREAM;
    return safeFetch(target, {
      method: init.method ?? "GET",
      headers: all,
      ...(init.body !== undefined && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      redirect: init.redirect ?? "error",
      configured: true,
      // How long a call may take is watched where it is made; a stream for news stays open.
      limits: { totalMs: Number.POSITIVE_INFINITY, bytes, receivedBytes: bytes, redirects: 0 },
    });
  };
}
