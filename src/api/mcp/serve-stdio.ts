import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ToolHost } from "../../agent/tools/hosted-tools.ts";
import { type ServerIdentity, toolServer } from "./tool-server.ts";

/** Serves one caller over standard input and output, until the input ends or the signal aborts. Nothing else may write to the output. */
export async function serveOverStdio(identity: ServerIdentity, host: ToolHost, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const handle = serveStdio(() => toolServer(identity, host));
  const ended = once(process.stdin, "close", { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined);
  process.stdin.once("end", () => over.abort());
  await ended;
  await handle.close();
}
