import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ToolHost } from "../agent/tools/hosted-tools.ts";
import { bearerOf } from "../api/ask/ask-request.ts";
import { startHttpServer } from "../api/http-server.ts";
import { mcpEndpoint } from "../api/mcp/http-endpoint.ts";
import { PluginHost } from "../api/mcp/plugin-host.ts";
import { serveOverStdio } from "../api/mcp/serve-stdio.ts";
import { type ServerIdentity, toolServer } from "../api/mcp/tool-server.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { personId, tenantId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Secret } from "../core/secret.ts";
import { audienceOf } from "../permissions/audience.ts";
import { withOperatorSettings } from "../plugins/operator-settings.ts";
import { web } from "../plugins/web/plugin.ts";
import type { SafeFetch } from "../safe-fetch/port.ts";
import { createSafeFetch } from "../safe-fetch/safe-fetch.ts";

const identity: ServerIdentity = {
  name: "footnote-web-search",
  title: "Web search",
  instructions:
    "Searches the public web. Use web_search for what is new or changes; its results arrive one by one and are sources to be cited.",
};

/** It serves nobody's workspace; what is kept of answers is kept for its own callers, who are all the same to it. */
const nobody = { tenant: tenantId("00000000-0000-4000-8000-000000000000"), person: personId("nobody"), audience: audienceOf([]) };

export interface WebSearchParts {
  readonly config: Pick<Config, "plugins" | "internalOrigins">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Another way out, for tests. */
  readonly safeFetch?: SafeFetch;
}

/**
 * The search of the web as tools for a server: only `web_search`, since pages are read in a process that a whole program has.
 * @throws AppError CONFIG_INVALID without a search service
 */
function webSearchHost({
  config,
  clock,
  log,
  safeFetch = createSafeFetch({ clock, internalOrigins: config.internalOrigins }),
}: WebSearchParts): ToolHost {
  const unread = { extract: () => Promise.reject(new Error("No pages are read here.")) };
  const settings = new Map([...config.plugins.settings].filter(([key]) => key.startsWith("WEB_")));
  const [plugin] = withOperatorSettings([web({ safeFetch, reader: unread })], settings);
  const tool = plugin?.tools.find(({ name }) => name === "web_search");
  if (!tool) throw new AppError("INTERNAL");
  const missing = tool.configure?.({});
  if (missing) throw new AppError("CONFIG_INVALID", missing);
  return new PluginHost([tool], { ...nobody, settings: {}, clock, log });
}

/** Over standard input and output, until the input ends. @throws AppError CONFIG_INVALID */
export const serveWebSearch = (parts: WebSearchParts, signal: AbortSignal): Promise<void> =>
  serveOverStdio(identity, webSearchHost(parts), signal);

/**
 * Over Streamable HTTP at /mcp, for this machine alone.
 * @param key what callers must send as bearer token; without one every program of this machine may search
 * @throws AppError CONFIG_INVALID; the system's error when the port is taken
 */
export async function listenForWebSearch(
  parts: WebSearchParts,
  { port, key }: { readonly port: number; readonly key?: Secret | undefined },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const host = webSearchHost(parts);
  let url = "";
  const handle = mcpEndpoint({
    url: () => url,
    serverFor: async (request) => (key && !holds(request, key) ? refused : () => toolServer(identity, host)),
  });
  const server = await startHttpServer([{ method: "POST", path: "/mcp", policy: key ? "api-key" : "public", handle }], {
    host: "127.0.0.1",
    port,
    log: parts.log,
  });
  url = `${server.url}/mcp`;
  return { url, close: () => server.close() };
}

const refused = { status: 401, message: "The key is missing or wrong.", headers: { "WWW-Authenticate": "Bearer" } };

const holds = (request: IncomingMessage, key: Secret): boolean => timingSafeEqual(hashOf(bearerOf(request)), hashOf(key.reveal()));
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
