import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createMcpHandler, type Server } from "@modelcontextprotocol/server";

/** Largest request in bytes: arguments are words, not files. */
const LARGEST_BODY = 256 * 1024;

export interface EndpointParts {
  /** The address under which callers reach the endpoint. A request that names another host or comes from another site is refused. */
  url(): string;
  /** Makes servers for whoever sends this request, or gives the refusal that is sent instead. */
  serverFor(request: IncomingMessage): Promise<(() => Server) | HttpRefusal>;
}

/** What a caller gets who may not call at all. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An MCP server over Streamable HTTP for one path, in both of the protocol's eras. Keeps nothing between two requests: who calls is
 * found out at each, and an identifier of a session proves nothing.
 */
export function mcpEndpoint({ url, serverFor }: EndpointParts) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const wrong = misdirected(request, url());
    if (wrong) return refuse(response, wrong);
    const makeServer = await serverFor(request);
    if ("status" in makeServer) return refuse(response, makeServer);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    // A server of its own for each request: nothing of one caller can reach another's answer.
    const handler = createMcpHandler(makeServer, { maxRequestBodySize: LARGEST_BODY });
    try {
      await sendTo(response, await handler.fetch(webRequest(request, url(), gone.signal)));
    } finally {
      await handler.close();
    }
  };
}

/** A page of another site, or one whose name was made to lead here, must not get to what listens on this machine. */
function misdirected({ headers }: IncomingMessage, url: string): HttpRefusal | undefined {
  const { host, origin } = new URL(url);
  if ((headers.host ?? "").toLowerCase() !== host) return { status: 403, message: "The Host header does not name this server." };
  if (headers.origin !== undefined && headers.origin !== origin)
    return { status: 403, message: "Pages of other sites may not call this server." };
  return undefined;
}

/** The protocol's form of an error that belongs to no request. */
function refuse(response: ServerResponse, { status, message, headers = {} }: HttpRefusal): void {
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}

function webRequest(request: IncomingMessage, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value));
  const body = request.method === "POST" ? { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: "half" } : {};
  return new Request(url, { method: request.method ?? "GET", headers, signal, ...body } as RequestInit);
}

async function sendTo(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  response.flushHeaders();
  // Whoever goes away in the middle needs no answer.
  await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response).catch(() => undefined);
}
