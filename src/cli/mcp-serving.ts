import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import { AppError } from "../core/errors.ts";

/** Which tools are offered to other programs, and how. */
export type McpServing =
  /** The search of the web: over standard input and output, or on a port of this machine. */
  | { readonly kind: "web"; readonly port?: number; readonly keyFile?: string }
  /** One person's tools of one workspace, over standard input and output. */
  | { readonly kind: "person"; readonly workspace: string; readonly as: string };

/** `footnote mcp --web` and `footnote mcp --workspace <name> --as <person>`: offers tools to programs that speak MCP. */
export function addMcpServing(mcp: Command, serve: (serving: McpServing) => Promise<void>): void {
  mcp
    .option("--web", "offer the search of the web to other programs, over standard input and output")
    .addOption(new Option("--port <port>", "with --web: over HTTP on this port of this machine instead").argParser(portNumber))
    .option("--key-file <path>", "with --port: callers must send what this file holds as bearer token")
    .option("--workspace <name>", "offer one person's tools of this workspace, over standard input and output")
    .option("--as <person>", "with --workspace: whose tools; they get what this person gets")
    .action((options: { web?: boolean; port?: number; keyFile?: string; workspace?: string; as?: string }) => serve(servingOf(options)));
}

function servingOf({
  web,
  port,
  keyFile,
  workspace,
  as,
}: {
  web?: boolean;
  port?: number;
  keyFile?: string;
  workspace?: string;
  as?: string;
}): McpServing {
  if (web && workspace === undefined)
    return { kind: "web", ...(port !== undefined && { port }), ...(keyFile !== undefined && { keyFile }) };
  if (!web && workspace !== undefined && as !== undefined) return { kind: "person", workspace, as };
  throw new AppError(
    "CONFIG_INVALID",
    "What should be offered? footnote mcp --web, or footnote mcp --workspace <name> --as <person>. To look at external servers: footnote mcp list.",
  );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("It is no port.");
  return port;
}
