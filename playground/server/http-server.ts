import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError } from "./api-error.ts";
import type { Interactions } from "./interactions.ts";
import { fieldsOf, readBody } from "./request-body.ts";
import type { SocketMode } from "./socket-mode.ts";
import type { Dispatch } from "./web-api/dispatch.ts";

/** Handles requests that are neither the Web API nor a response address; true when it did. */
export type OtherRoutes = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

export interface ServerParts {
  readonly dispatch: Dispatch;
  readonly interactions: Interactions;
  readonly socket: SocketMode;
  readonly other: OtherRoutes;
}

/** The one HTTP server of the fake Slack, on the loopback interface only. */
export class HttpServer {
  readonly #server: Server;
  readonly #port: number;

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** @param port 0 for any free one */
  static async start(port: number, parts: ServerParts): Promise<HttpServer> {
    const server = createServer((request, response) => {
      handle(request, response, parts).catch(() => {
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    server.on("upgrade", (request, stream, head) => {
      const url = urlOf(request);
      if (url?.pathname === "/socket" && isOurs(request)) parts.socket.upgrade(request, stream, head, url.searchParams.get("ticket"));
      else stream.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
    return new HttpServer(server);
  }

  /** Such as http://127.0.0.1:4311 */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const url = urlOf(request);
  if (!url || !isOurs(request)) return void response.writeHead(403).end("Forbidden");
  if (url.pathname.startsWith("/api/")) return webApi(request, response, url, parts.dispatch);
  if (url.pathname.startsWith("/response/") && request.method === "POST") return respond(request, response, url, parts.interactions);
  if (await parts.other(request, response, url)) return;
  response.writeHead(404).end("Not found");
}

/**
 * Whether a request was meant for this server: a page of another site can neither send here (Origin) nor point its own
 * name at this address (Host).
 */
function isOurs(request: IncomingMessage): boolean {
  const port = request.socket.localPort;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (!host || !hosts.includes(host)) return false;
  return origin === undefined || hosts.some((allowed) => origin === `http://${allowed}`);
}

function urlOf(request: IncomingMessage): URL | undefined {
  const path = request.url ?? "/";
  return URL.canParse(path, "http://127.0.0.1") ? new URL(path, "http://127.0.0.1") : undefined;
}

async function webApi(request: IncomingMessage, response: ServerResponse, url: URL, dispatch: Dispatch): Promise<void> {
  const method = url.pathname.slice("/api/".length);
  const fields = fieldsOf(await readBody(request), request.headers["content-type"] ?? "");
  if (!fields) return json(response, 200, { ok: false, error: "invalid_json" });
  for (const [name, value] of url.searchParams) if (!fields.has(name)) fields.set(name, value);
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const token = bearer ?? (fields.get("token") as string | undefined);
  const reply = await dispatch.answer(method, token, fields);
  if (reply.broken) return void request.socket.destroy();
  if (!reply.body)
    return void response.writeHead(reply.status, { "content-type": "text/html" }).end("<html><body>Service Unavailable</body></html>");
  json(response, reply.status, reply.body, reply.headers);
}

async function respond(request: IncomingMessage, response: ServerResponse, url: URL, interactions: Interactions): Promise<void> {
  const fields = fieldsOf(await readBody(request), "json");
  if (!fields) return void response.writeHead(400).end("invalid_payload");
  try {
    interactions.respond(url.pathname.slice("/response/".length), Object.fromEntries(fields));
    response.writeHead(200).end("ok");
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    response.writeHead(thrown.code === "used_url" ? 404 : 400).end(thrown.code);
  }
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", ...headers });
  response.end(JSON.stringify(body));
}
