import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { contentOf, ENCODINGS, tooLarge } from "./body.ts";
import { Connections, type Dial, systemDial } from "./connection.ts";
import { aborting, deadline, reasonOf } from "./deadline.ts";
import { destinationOf, type Resolve, readAddress, refused } from "./destination.ts";
import { standardLimits } from "./limits.ts";
import { systemResolve } from "./pin.ts";
import type { FetchLimits, SafeFetch, SafeRequest } from "./port.ts";
import { crossing, fieldsOf, type Outgoing, outgoing } from "./request.ts";
import { Slots } from "./slots.ts";

export interface SafeFetchParts {
  readonly clock: Clock;
  /** Origins inside the operator's own network, e.g. "http://searxng:8080"; open to requests that are `configured`. */
  readonly internalOrigins?: readonly string[];
  /** The system's resolver unless given. */
  readonly resolve?: Resolve;
  readonly dial?: Dial;
}

/** Makes the one way out to hosts that somebody named. Connections are kept open for a few seconds and end by themselves. */
export function createSafeFetch({ clock, internalOrigins = [], resolve = systemResolve, dial = systemDial }: SafeFetchParts): SafeFetch {
  const internal = new Set(internalOrigins);
  const connections = new Connections(dial, clock);
  const slots = new Slots();

  return async (raw, request = {}) => {
    const limits = { ...standardLimits, ...request.limits };
    request.signal?.throwIfAborted();
    const release = await slots.take(request.tenant, request.signal);
    const end = deadline(limits.totalMs, clock, request.signal);
    const ended = () => {
      end.clear();
      release();
    };
    try {
      const first = readAddress(raw);
      return await follow(first, outgoing(request), { request, limits, origin: first.origin, signal: end.signal, ended, hop });
    } catch (thrown) {
      ended();
      throw reasonOf(thrown, end.signal);
    }
  };

  async function hop(url: URL, out: Outgoing, { request, limits, origin, signal }: Following): Promise<Dispatcher.ResponseData> {
    // Only what was configured itself: a site must not lead to another one of the own network.
    const exempt = request.configured === true && url.origin === origin && internal.has(url.origin);
    const destination = await aborting(destinationOf(url, exempt, resolve), signal);
    const { method, body } = out;
    const headers = { "accept-encoding": ENCODINGS, ...out.headers };
    return connections.to(destination, limits.connectMs).request({
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
      signal,
    });
  }
}

interface Following {
  readonly request: SafeRequest;
  readonly limits: FetchLimits;
  /** Origin of the address that was asked for. */
  readonly origin: string;
  readonly signal: AbortSignal;
  ended(): void;
  hop(url: URL, out: Outgoing, following: Following): Promise<Dispatcher.ResponseData>;
}

async function follow(first: URL, asked: Outgoing, following: Following): Promise<Response> {
  const { request, limits } = following;
  let url = first;
  let out = asked;
  for (let hops = 0; ; hops++) {
    const response = await following.hop(url, out, following);
    const location = redirectOf(response);
    if (location === undefined || request.redirect === "manual") return answer(url, response, following);
    response.body.on("error", () => undefined).destroy();
    if (request.redirect === "error") throw refused("It leads elsewhere.");
    if (hops >= limits.redirects) throw refused("It leads from one address to the next without end.");
    const next = readAddress(location, url);
    if (url.protocol === "https:" && next.protocol === "http:") throw refused("It leads from a safe connection to an open one.");
    out = crossing(out, response.statusCode, next.origin === url.origin);
    url = next;
  }
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === "string" ? location : undefined;
}

/** The response that is kept: its type and announced length are judged before anything is read. */
function answer(url: URL, { statusCode, headers, body }: Dispatcher.ResponseData, { request, limits, signal, ended }: Following): Response {
  const type = one(headers, "content-type").split(";")[0]?.trim().toLowerCase() ?? "";
  const good = statusCode >= 200 && statusCode < 300;
  const encoding = one(headers, "content-encoding").trim().toLowerCase();
  try {
    if (statusCode < 200 || statusCode > 599) throw new AppError("FETCH_FAILED", `It answers with ${statusCode}.`);
    if (good && request.types && !request.types.includes(type)) throw refused("It is of a kind that is not read.");
    if (Number(one(headers, "content-length")) > limits.receivedBytes) throw tooLarge();
  } catch (thrown) {
    body.on("error", () => undefined).destroy();
    throw thrown;
  }
  const empty = [204, 205, 304].includes(statusCode);
  if (empty) body.on("error", () => undefined).destroy();
  const checkedType = good && request.types ? { checkedType: type } : {};
  const content = empty ? null : contentOf(body, { encoding, limits, ...checkedType }, { signal, ended });
  if (empty) ended();
  const response = new Response(content, { status: statusCode, headers: fieldsOf(headers) });
  // A Response made by hand has no address, yet links within it are relative to where it came from.
  return Object.defineProperty(response, "url", { value: url.href });
}

const one = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? "");
