import { fileURLToPath } from "node:url";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { openSession } from "../../../src/plugins/mcp/client-session.ts";
import { type ConnectionParts, ServerConnection } from "../../../src/plugins/mcp/connection.ts";
import type { McpServer, SandboxRules } from "../../../src/plugins/mcp/server.ts";
import type { ServerFetch } from "../../../src/plugins/mcp/server-fetch.ts";

/** The made-up server's program. */
export const program = fileURLToPath(new URL("../../fakes/mcp-program.mjs", import.meta.url));

export const sandbox: SandboxRules = { network: false, read: [program], write: [], memoryMib: 512, processes: 64 };

export interface ProgramOptions {
  readonly sandbox?: SandboxRules | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly more?: Partial<McpServer>;
}

/** A server that is the made-up program, without a sandbox unless given. */
export function programServer(args: readonly string[] = [], options: ProgramOptions = {}): McpServer {
  const env = Object.fromEntries(Object.entries(options.env ?? {}).map(([name, value]) => [name, new Secret(value)]));
  return {
    ...{ name: "fixture", title: "Fixture", workspaces: undefined, silenceMs: 60_000, totalMs: 300_000, effects: {} },
    transport: { kind: "stdio", command: process.execPath, args: [program, ...args], env, sandbox: options.sandbox },
    ...options.more,
  };
}

const nowhere: ServerFetch = () => Promise.reject(new Error("no network"));

const opened: ServerConnection[] = [];

/** A connection as the program has it; closed after each test by `closeAll`. */
export function connectionTo(
  server: McpServer,
  more: Partial<ConnectionParts> & { readonly fetch?: ServerFetch; readonly probeMs?: number } = {},
): ServerConnection {
  const { fetch = nowhere, probeMs = 10_000, ...parts } = more;
  const clock = parts.clock ?? systemClock;
  const log = parts.log ?? silentLogger;
  const connection = new ServerConnection({
    server,
    open: (signal, listChanged) => openSession({ server, fetch, clock: systemClock, log, signal, listChanged, probeMs }),
    listed: async () => undefined,
    closed: () => undefined,
    unavailable: () => undefined,
    ...parts,
    clock,
    log,
  });
  opened.push(connection);
  return connection;
}

export const closeAll = async (): Promise<void> => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
};

/** Calls a tool and gives the text of its result. */
export async function call(
  connection: ServerConnection,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: { readonly signal?: AbortSignal; readonly progress?: (news: string) => void } = {},
): Promise<string> {
  const { signal = new AbortController().signal, progress = () => undefined } = options;
  const result = await connection.call({ name, description: "", inputSchema: {} }, args, { signal, progress });
  return (result.content as { text: string }[])[0]?.text ?? "";
}
