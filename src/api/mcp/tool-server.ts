import { ProtocolError, ProtocolErrorCode, Server, type Tool } from "@modelcontextprotocol/server";
import { BadCall, type HostedTool, type ToolHost } from "../../agent/tools/hosted-tools.ts";

/** How a server of ours calls itself. */
export interface ServerIdentity {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For the model at the other end: what the tools are good for. */
  readonly instructions: string;
}

/** How long a list of tools may be kept by a client, in milliseconds. Who may call what is decided at each call all the same. */
const LIST_FRESH_MS = 60_000;

/** One server of the protocol's package over a caller's tools: for one request, or for one connection. */
export function toolServer({ name, title, instructions }: ServerIdentity, host: ToolHost): Server {
  const server = new Server(
    { name, title, version: "1" },
    { capabilities: { tools: {} }, instructions, cacheHints: { "tools/list": { ttlMs: LIST_FRESH_MS, cacheScope: "private" } } },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: (await host.list()).map(listed) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const sent: Promise<void>[] = [];
    const progress = (step: number, total: number | undefined, message: string) => {
      if (token === undefined) return;
      const news = { progressToken: token, progress: step, message, ...(total !== undefined && { total }) };
      sent.push(mcpReq.notify({ method: "notifications/progress", params: news }).catch(() => undefined));
    };
    try {
      const result = await host.call({ name: params.name, arguments: params.arguments ?? {}, signal: mcpReq.signal, progress });
      // News must not come after the result that it is about.
      await Promise.all(sent);
      return { content: [...result.content], ...(result.isError && { isError: true }) };
    } catch (thrown) {
      if (thrown instanceof BadCall) throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message);
      if (thrown instanceof ProtocolError) throw thrown;
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Something went wrong on our side.");
    }
  });
  return server;
}

const listed = ({ name, title, description, inputSchema, annotations }: HostedTool): Tool => ({
  name,
  ...(title !== undefined && { title }),
  description,
  inputSchema: inputSchema as Tool["inputSchema"],
  ...(annotations && { annotations }),
});
