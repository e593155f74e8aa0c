import { AppError, messageOf } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Tool, ToolEffect, ToolLogin, ToolResult } from "../contract.ts";
import { failure } from "../define.ts";
import type { ApprovedTool } from "../external-tools.ts";
import { shortText } from "./clean-text.ts";
import type { ServerConnection } from "./connection.ts";
import { fingerprintOf } from "./definition.ts";
import { LoginNeeded } from "./login/kept-login.ts";
import { TookTooLong } from "./patience.ts";
import { resultOf } from "./result.ts";
import { parametersOf } from "./schema.ts";
import { identityOf, type McpServer } from "./server.ts";

/** Longest description of a tool that a model gets, in characters. */
const LONGEST_DESCRIPTION = 4_000;
/** Longest result in characters. */
const LONGEST_RESULT = 65_536;
/** Longest reason of a failure that a server may give. */
const LONGEST_REASON = 1_000;

/** What a tool may do: the operator's word, else the admin's. Without either nobody has said it, and each call is asked for. */
export const effectOf = ({ effects }: McpServer, { tool, effect }: Pick<ApprovedTool, "tool" | "effect">): ToolEffect =>
  (Object.hasOwn(effects, tool) ? effects[tool] : effects["*"]) ?? effect ?? "unknown";

/** An approved tool of a server as a tool of ours. It runs only while the server offers it exactly as it was approved. */
export function externalTool(
  server: McpServer,
  approved: ApprovedTool,
  connect: (person: PersonId) => Promise<ServerConnection>,
  login?: ToolLogin,
): Tool {
  const { name, definition } = approved;
  const label = `${server.title}: ${definition.name}`;
  return Object.freeze<Tool>({
    name,
    description: `${shortText(definition.description, LONGEST_DESCRIPTION) || `The tool ${definition.name}.`} (A tool of the external server ${server.title}, in that server's words.)`,
    parameters: parametersOf(definition.inputSchema),
    // Of the server's own annotations and titles none counts: they are its word.
    annotations: { title: label, openWorld: true },
    effect: effectOf(server, approved),
    server: server.title,
    ...(login && { login }),
    ...(server.freshMs && Object.hasOwn(server.freshMs, definition.name) && { freshMs: server.freshMs[definition.name] }),
    timeoutMs: server.totalMs,
    outputLimit: LONGEST_RESULT,
    describeCall: () => `Asking ${label}`,

    async execute(params, { person, signal, progress, confirm, writeFor }) {
      try {
        const connection = await connect(person);
        const { named } = await connection.tools();
        const now = named.find((offered) => offered.definition.name === definition.name);
        if (!now || fingerprintOf(now.definition, identityOf(server)) !== approved.fingerprint) return changed;
        const asker = { ...(confirm && { confirm }), ...(writeFor && { writeFor }) };
        const raw = await connection.call(definition, params as Readonly<Record<string, unknown>>, { signal, progress, asker });
        return resultOf(raw, LONGEST_RESULT);
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        return failed(thrown);
      }
    },
  });
}

const changed = failure(
  "TOOL_CHANGED",
  "The server offers this tool in another form than was approved, so it was not called. A workspace admin has to look at it anew.",
  { status: "denied" },
);

function failed(thrown: unknown): ToolResult {
  if (thrown instanceof LoginNeeded)
    return failure(
      "LOGIN_NEEDED",
      "The asker's log-in at this server has ended or does not suffice, so the call was not made. Make it once more: then they are asked to log in.",
      { status: "denied", retryable: true },
    );
  if (thrown instanceof TookTooLong) {
    const after = Math.round(thrown.afterMs / 1_000);
    return failure(
      "TIMEOUT",
      `The server gave no result within ${after} s. The call was stopped; whether it took effect is not known. Do not repeat it.`,
    );
  }
  if (thrown instanceof AppError) return failure("UNREACHABLE", thrown.message, { retryable: true });
  // What the protocol's client throws is the server's own reason, or says what was wrong with its answer.
  return failure("TOOL_ERROR", shortText(messageOf(thrown), LONGEST_REASON));
}
