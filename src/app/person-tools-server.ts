import type { PersonRequest } from "../agent/tools/person-calls.ts";
import { footnoteServer } from "../api/mcp/mcp-door.ts";
import { operatedHost } from "../api/mcp/operated-host.ts";
import { serveOverStdio } from "../api/mcp/serve-stdio.ts";
import type { Operations } from "../operations.ts";

/** One person's tools over standard input and output, for programs of whoever may operate this one. */
export async function servePersonTools(operations: Operations, whose: PersonRequest, signal: AbortSignal): Promise<void> {
  const host = operatedHost(operations, whose);
  // A name that is wrong is told at once, not to a program that cannot show it.
  await host.list();
  await serveOverStdio(footnoteServer, host, signal);
}
