import {
  type AuthProvider,
  Client,
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { ToolDefinition } from "../external-tools.ts";
import { type Asker, answerTo } from "./elicitation.ts";
import { LoginNeeded } from "./login/kept-login.ts";
import type { PersonLogin } from "./login/person-login.ts";
import { withPatience } from "./patience.ts";
import type { RawResult } from "./result.ts";
import { writingFor } from "./sampling.ts";
import type { McpServer } from "./server.ts";
import type { ServerFetch } from "./server-fetch.ts";
import { launchOf } from "./stdio/sandbox.ts";
import { StdioTransport } from "./stdio/transport.ts";

/** An open connection to one server, for one credential. */
export interface ServerSession {
  /** Every entry of its tool list as it came, each once. */
  list(signal: AbortSignal): Promise<readonly unknown[]>;
  /** Rejects with what the server or the connection says; aborting the signal tells the server to stop. */
  call(definition: ToolDefinition, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<RawResult>;
  /** Aborts when the connection has ended, whoever ended it. */
  readonly closed: AbortSignal;
  readonly protocolVersion: string;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Longest time in milliseconds, as a last resort: the caller watches the time itself. */
  readonly totalMs: number;
  /** Absent: nobody is asked anything. */
  readonly asker?: Asker;
  onProgress(news: { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined }): void;
}

export interface SessionParts {
  readonly server: McpServer;
  readonly fetch: ServerFetch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The log-in of whoever calls, for servers at which each person has their own. */
  readonly login?: PersonLogin;
  /** How long a server may take to say which revision of the protocol it speaks, in milliseconds; 5,000 unless given. Old ones say nothing at all. */
  readonly probeMs?: number;
  /** Told when the server says that its tools are others now. */
  listChanged(): void;
}

const identity = { name: "footnote", version: "1" };
/** How long a server may take to begin, in milliseconds: some programs compile themselves first. */
const CONNECT_MS = 30_000;
const PROBE_MS = 5_000;
/** How long all of that may take: a server that opens a stream and says nothing in it is waited for by no timer of the protocol's client. */
const OPEN_MS = 60_000;
const LIST_MS = 30_000;
/** Pages of one tool list, and tools in all. */
const MOST_PAGES = 50;
const MOST_TOOLS = 1_000;
/** Characters of JSON in all. The longest list of twenty real servers has 76,000. */
const LONGEST_LIST = 8 * 1024 * 1024;
/** The protocol's own timer must not be first: the caller's says what happened. */
const LATER_MS = 10_000;

/** Only what is looked at: one bad entry must not cost the whole list. */
const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Connects in whichever revision of the protocol the server speaks, from 2024-11-05 on.
 * @throws AppError MCP_SANDBOX_MISSING, MCP_UNREACHABLE; whatever the protocol's client throws
 */
export async function openSession(parts: SessionParts): Promise<ServerSession> {
  const { transport } = parts.server;
  return transport.kind === "stdio" ? openProgram(parts) : openRemote(transport.url, parts);
}

async function openProgram(parts: SessionParts): Promise<ServerSession> {
  const { server, clock, log } = parts;
  if (server.transport.kind !== "stdio") throw new AppError("INTERNAL");
  const launch = launchOf(server.transport);
  const { sandbox } = server.transport;
  const make = () => new StdioTransport(launch, sandbox, { clock, log });
  try {
    return await opened(make(), "auto", parts);
  } catch (thrown) {
    if (parts.signal.aborted || thrown instanceof AppError) throw thrown;
    // Some old servers end when they are asked anything before the handshake they know.
    return opened(make(), "legacy", parts);
  }
}

async function openRemote(url: string, parts: SessionParts): Promise<ServerSession> {
  const authProvider: AuthProvider | undefined = parts.login;
  const options = {
    ...{ fetch: parts.fetch, redirectPolicy: "same-origin" as const, onInsufficientScope: "throw" as const },
    ...(authProvider && { authProvider }),
  };
  try {
    return await opened(new StreamableHTTPClientTransport(new URL(url), options), "auto", parts);
  } catch (thrown) {
    if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout && !parts.signal.aborted)
      return opened(new StreamableHTTPClientTransport(new URL(url), options), "legacy", parts);
    // The way the protocol says to find servers from before Streamable HTTP.
    if (!(thrown instanceof SdkHttpError) || ![400, 404, 405].includes(thrown.data.status)) throw thrown;
    return opened(new SSEClientTransport(new URL(url), options), "legacy", parts);
  }
}

async function opened(
  transport: Transport,
  mode: "auto" | "legacy",
  { server, signal, clock, log, listChanged, login, probeMs = PROBE_MS }: SessionParts,
): Promise<ServerSession> {
  /** Who can be asked in the calls under way, each an object of its own. */
  const asking = new Set<Asker>();
  const client = new Client(identity, {
    // What a server proposes is on the card. Were it added here to what comes back, the server would get what its asker has taken out.
    capabilities: { elicitation: { form: {} }, ...(server.sampling && { sampling: {} }) },
    versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
    listChanged: { tools: { autoRefresh: false, onChanged: listChanged } },
  });
  client.setRequestHandler("elicitation/create", (request, { mcpReq }) => answerTo(request, asking, mcpReq.signal));
  if (server.sampling)
    client.setRequestHandler("sampling/createMessage", (request, { mcpReq }) => writingFor(request, asking, mcpReq.signal));
  const closed = new AbortController();
  client.onclose = () => closed.abort(new AppError("MCP_UNREACHABLE", "The connection has ended."));
  client.onerror = () => log.debug("A server's connection had a fault.");
  try {
    const patience = { silenceMs: OPEN_MS, totalMs: OPEN_MS };
    await withPatience(patience, clock, signal, (own) => client.connect(transport, { timeout: CONNECT_MS, signal: own }));
  } catch (thrown) {
    await transport.close().catch(() => undefined);
    throw await withLogin(thrown, login);
  }
  return {
    closed: closed.signal,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    list: (signal) => listTools(client, signal, log),
    call: async ({ name, title, description, inputSchema }, args, { signal, totalMs, onProgress, asker = {} }) => {
      // One object a call, so that two of one asker are two.
      const own: Asker = { ...asker };
      asking.add(own);
      const timeout = totalMs + LATER_MS;
      // Without the output schema: results are text for a model, and a server that breaks its own word still said something.
      const toolDefinition = { name, description, inputSchema: { ...inputSchema, type: "object" as const }, ...(title && { title }) };
      try {
        return await client.callTool(
          { name, arguments: { ...args } },
          { signal, timeout, maxTotalTimeout: timeout, onprogress: onProgress, toolDefinition },
        );
      } catch (thrown) {
        throw await withLogin(thrown, login);
      } finally {
        asking.delete(own);
      }
    },
    close: () => client.close(),
  };
}

/** What was thrown, or that its person has to log in (again): the server asks for more than they have agreed to. */
async function withLogin(thrown: unknown, login: PersonLogin | undefined): Promise<unknown> {
  if (!login) return thrown;
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof LoginNeeded) return cause;
    if (!InsufficientScopeError.isInstance(cause)) continue;
    await login.lacks(cause.requiredScope);
    return new LoginNeeded();
  }
  return thrown;
}

/** All pages. A server that never comes to an end, or repeats itself, is read as far as it says something new. */
async function listTools(client: Client, signal: AbortSignal, log: Logger): Promise<readonly unknown[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools = new Map<string, unknown>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let length = 0;
  for (let page = 1; ; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools: listed, nextCursor } = await client.request({ method: "tools/list", params }, toolPage, { signal, timeout: LIST_MS });
    for (const tool of listed) {
      const text = jsonOf(tool);
      length += text.length;
      if (length <= LONGEST_LIST) tools.set(text, tool);
    }
    if (nextCursor === undefined && length <= LONGEST_LIST) break;
    if (nextCursor === undefined || cursors.has(nextCursor) || page >= MOST_PAGES || tools.size > MOST_TOOLS || length > LONGEST_LIST) {
      log.warn("A server's tool list is too long or does not come to an end; what was read so far counts.", { count: tools.size });
      break;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return [...tools.values()].slice(0, MOST_TOOLS);
}

/** Empty for what is nested so deeply that it cannot even be written down: all of that is one and the same bad entry. */
function jsonOf(tool: unknown): string {
  try {
    return JSON.stringify(tool);
  } catch {
    return "";
  }
}
