import { request } from "undici";

/**
 * Makes the `openai` package's requests: fetch as far as that package uses it, without web streams, which cost more CPU than all the
 * reading of a reply. The body is a Node stream of bytes. Redirects are not followed, so that a key goes nowhere else; time limits are
 * the caller's.
 */
export async function lightFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { statusCode, headers, body } = await request(String(url), {
    method: "POST",
    headers: Object.fromEntries(init.headers instanceof Headers ? init.headers : new Headers(init.headers)),
    body: String(init.body),
    signal: init.signal ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const fields = new Headers();
  for (const [name, value = ""] of Object.entries(headers)) fields.set(name, Array.isArray(value) ? value.join(", ") : value);
  const response = {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    headers: fields,
    url: String(url),
    body,
    text: () => body.text(),
  };
  return response as unknown as Response;
}
