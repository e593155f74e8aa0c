import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { respondError } from "./api-error.ts";

/** One door over HTTP. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Exact path, or a prefix that ends in "/". */
  readonly path: string;
  /** What makes a caller allowed: every route has one, and a test goes through them all. */
  readonly policy: "public" | "signed-link" | "slack-signature" | "api-key" | "install-state" | "login-state";
  readonly handle: RequestListener;
}

export interface HttpServer {
  /** Address the server listens on, e.g. http://127.0.0.1:3000. */
  readonly url: string;
  /** Takes no new requests and waits for the running ones, at most a second. */
  close(): Promise<void>;
}

/** Headers on every answer: nothing of ours is framed, sniffed, cached by strangers or allowed to load code. */
const safeHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "private, no-store",
};

/** Serves the routes. An exception in a handler is a 500 without details; unknown paths are 404. */
export function startHttpServer(
  routes: readonly Route[],
  { host, port, log }: { host: string; port: number; log: Logger },
): Promise<HttpServer> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    void dispatch(routes, request, response, log);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
      resolve({ url: `http://${name}:${address.port}`, close: () => close(server) });
    });
  });
}

async function dispatch(routes: readonly Route[], request: IncomingMessage, response: ServerResponse, log: Logger): Promise<void> {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const matching = routes.filter((route) =>
    route.path.endsWith("/") && route.path !== "/" ? path.startsWith(route.path) : path === route.path,
  );
  const route = matching.find((each) => answers(each, request.method));
  if (!route) return noRoute(path, matching, response);
  try {
    await route.handle(request, response);
  } catch (thrown) {
    log.error("A request failed.", { path: route.path, code: thrown instanceof Error ? thrown.name : messageOf(thrown).slice(0, 40) });
    if (!response.headersSent) respond(response, 500, "Something went wrong on our side.");
    else response.destroy();
  }
}

/** HEAD is GET without the body, as probes and previews send it; not where looking at a page uses something up. */
const answers = ({ method, policy }: Route, asked: string | undefined): boolean =>
  method === asked || (asked === "HEAD" && method === "GET" && (policy === "public" || policy === "signed-link"));

/** Programs get the API's form of an error, people a sentence. */
function noRoute(path: string, otherMethods: readonly Route[], response: ServerResponse): void {
  if (otherMethods.length > 0) response.setHeader("Allow", otherMethods.map(({ method }) => method).join(", "));
  if (path.startsWith("/api/")) respondError(response, new AppError(otherMethods.length > 0 ? "METHOD_REFUSED" : "NOT_FOUND"));
  else if (otherMethods.length > 0) respond(response, 405, "Method not allowed.");
  else respond(response, 404, "Not found.");
}

/** Ends a request with a plain sentence. */
export function respond(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type });
  response.end(text);
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1000).unref();
  });
}
