import type { IncomingMessage, ServerResponse } from "node:http";
import type { ToolHost } from "../../agent/tools/hosted-tools.ts";
import { PersonHost } from "../../agent/tools/person-host.ts";
import type { ToolAccess } from "../../agent/tools/tool-access.ts";
import { AppError } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Directory } from "../../permissions/directory.ts";
import { type ApiKeys, type KeyHolder, type KeyLimits, keyHolder } from "../api-keys.ts";
import { bearerOf } from "../ask/ask-request.ts";
import type { Route } from "../http-server.ts";
import type { HttpRefusal } from "./http-endpoint.ts";
import type { ServerIdentity } from "./tool-server.ts";

export interface McpDoorParts {
  readonly access: ToolAccess;
  keysOf(tenant: TenantId): ApiKeys;
  /** @throws AppError WORKSPACE_UNKNOWN when the workspace is suspended or gone */
  directory(tenant: TenantId): Promise<Directory>;
  readonly limits: KeyLimits;
  /** The address people reach this program under. */
  publicUrl(): string;
  readonly log: Logger;
}

/** How this program calls itself to programs that call its tools. */
export const footnoteServer: ServerIdentity = {
  name: "footnote",
  title: "Footnote",
  instructions:
    "A team's documents and what else its assistant may look up, with the rights of the person whose key is used. " +
    "Sources come as resources whose address opens them at the right place: cite them.",
};

const path = "/mcp";
const metadataPath = "/.well-known/oauth-protected-resource";
/** A place of a key counts as taken for this long unless the call ends before. */
const LEASE_MS = 310_000;

/**
 * `/mcp`: the tools of the person a key stands for, over Streamable HTTP. The key must have been made for this door: one for questions
 * over HTTP is worth nothing here, nor is this one there. What it opens is told by the metadata of a protected resource (RFC 9728).
 */
export function mcpRoutes(parts: McpDoorParts): readonly Route[] {
  const url = () => `${parts.publicUrl()}${path}`;
  const metadata = () => `${parts.publicUrl()}${metadataPath}${path}`;
  const challenge = (): HttpRefusal => ({
    status: 401,
    message: "A key for this server is needed: footnote key add --for mcp.",
    headers: { "WWW-Authenticate": `Bearer resource_metadata="${metadata()}"` },
  });

  const hostFor = async (request: IncomingMessage): Promise<ToolHost | HttpRefusal> => {
    const holder = await keyHolder(bearerOf(request), parts.keysOf, "mcp");
    if (!holder) return challenge();
    try {
      const directory = await parts.directory(holder.tenant);
      const channel = await directory.directMessage(holder.person);
      return limited(holder, new PersonHost(parts.access, { ...holder, channel }), parts);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code === "INTERNAL") throw thrown;
      // What is away for a while does not make the key worthless: a program that is told so would throw it away.
      return thrown.code === "WORKSPACE_UNKNOWN" ? challenge() : { status: 503, message: thrown.sentence };
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    // Only now: a program that nobody calls never loads the protocol's server.
    const { mcpEndpoint } = await import("./http-endpoint.ts");
    const { toolServer } = await import("./tool-server.ts");
    const serverFor = async (from: IncomingMessage) => {
      const host = await hostFor(from);
      return "status" in host ? host : () => toolServer(footnoteServer, host);
    };
    await mcpEndpoint({ url, serverFor })(request, response);
  };
  const describe = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ resource: url(), resource_name: footnoteServer.title, bearer_methods_supported: ["header"] }));
  };
  return [
    { method: "POST", path, policy: "api-key", handle: serve },
    { method: "GET", path: metadataPath, policy: "public", handle: describe },
    { method: "GET", path: `${metadataPath}${path}`, policy: "public", handle: describe },
  ];
}

/** The same tools, with each call counted against its key. Looking at the list costs nothing. */
function limited({ tenant, id }: KeyHolder, host: ToolHost, { keysOf, limits, log }: McpDoorParts): ToolHost {
  return {
    list: () => host.list(),
    call: async (call) => {
      const keys = keysOf(tenant);
      const admission = await keys.admit(id, limits, LEASE_MS);
      if (!admission.admitted) {
        const text = `Too many calls with this key. Try again in ${admission.retryAfterSeconds} s.`;
        return { content: [{ type: "text", text }], isError: true };
      }
      try {
        return await host.call(call);
      } finally {
        await keys.finish(admission.use).catch(() => log.warn("A key's place could not be freed; its lease will end.", { tenant }));
      }
    },
  };
}
