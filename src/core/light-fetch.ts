import { request } from "undici";

/**
 * Fetch as far as the `openai` package and Slack's client use it, for the endpoints of the operator: text goes out, and the body comes
 * back as a Node stream of bytes or as a whole. Without web streams, which cost more CPU than all the reading of a reply. Redirects are
 * not followed, so that a key goes nowhere else; time limits are the caller's.
 */
export async function lightFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (typeof init.body !== "string") throw new TypeError("Only text is sent this way.");
  const { statusCode, headers, body } = await request(String(url), {
    method: "POST",
    headers: Object.fromEntries(init.headers instanceof Headers ? init.headers : new Headers(init.headers)),
    body: init.body,
    signal: init.signal ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const response = {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: "",
    headers: new Headers(Object.entries(headers).map(([name, value = ""]) => [name, Array.isArray(value) ? value.join(", ") : value])),
    url: String(url),
    body,
    text: () => body.text(),
    arrayBuffer: () => body.arrayBuffer(),
  };
  return response as unknown as Response;
}
