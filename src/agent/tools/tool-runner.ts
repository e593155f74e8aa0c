import { canonicalJson } from "../../core/canonical-json.ts";
import type { Logger } from "../../core/logger.ts";
import type { Tool, ToolContext, ToolResult } from "../../plugins/contract.ts";
import { failure } from "../../plugins/define.ts";
import { allowed } from "../approval/approvals.ts";
import { type LogInParts, loggedIn } from "../approval/log-in.ts";
import { type QuestionParts, ServiceQuestions } from "../approval/service-questions.ts";
import { within } from "../deadline.ts";
import type { Limits } from "../limits.ts";
import type { ToolCall } from "../model/model.ts";
import { safeReason } from "../safe-reason.ts";
import type { Session } from "../session.ts";
import { problemWith } from "./parameters.ts";
import type { ResultCache } from "./result-cache.ts";

/** What one call needs beside itself. */
export interface RunnerParts extends QuestionParts, LogInParts {
  readonly log: Logger;
  readonly limits: Limits;
  /** Absent: every call is made. */
  readonly results?: ResultCache;
  /** Milliseconds left for the whole answer; a call never gets more. */
  readonly msLeft: number;
}

/**
 * Runs one call: find, validate, have it allowed, execute, cap. Never throws: whatever goes wrong is a result with the code NOT_ENABLED,
 * BAD_PARAMETERS, TIMEOUT, ABORTED or TOOL_FAILED. Tools are looked up only among those enabled at this moment.
 */
export async function runTool(call: ToolCall, parts: RunnerParts): Promise<ToolResult> {
  const { log } = parts;
  try {
    const prepared = prepare(call, parts.session);
    if ("status" in prepared) return prepared;
    const missing = await loggedIn(prepared.tool, parts);
    if (missing) return missing;
    const permitted = await allowed(prepared.tool, prepared.params, parts);
    if ("status" in permitted) return permitted;
    const executed = await execute(prepared.tool, permitted.params, parts);
    const result = finalise(permitted.edited ? told(executed, permitted.params) : executed, outputLimit(prepared.tool, parts.limits));
    // Of a call that was left behind nobody knows what it did.
    if (!unknownEnds.has(result.error?.code ?? "")) await permitted.finished();
    return result;
  } catch (thrown) {
    if (parts.signal.aborted) return failure("ABORTED", "The call was stopped.");
    log.warn("A tool failed.", { tool: call.name, code: "TOOL_FAILED" });
    return failure("TOOL_FAILED", safeReason(thrown), { retryable: true });
  }
}

/** The model knows only the arguments that it gave itself. */
const told = (result: ToolResult, params: unknown): ToolResult => ({
  ...result,
  content: `The asker changed the arguments before the call was made. They were: ${canonicalJson(params)}\n\n${result.content}`,
});

const unknownEnds: ReadonlySet<string> = new Set(["TIMEOUT", "ABORTED"]);

/** How long a tool may take, in milliseconds. */
export const toolLimit = (tool: Tool, limits: Limits): number => Math.min(tool.timeoutMs ?? limits.toolMs, limits.longestToolMs);

/** How many characters of a tool's result the model may get. */
export const outputLimit = (tool: Tool | undefined, limits: Limits): number => tool?.outputLimit ?? limits.toolOutputChars;

/** The line people see for a call: the tool's own words, or its name. */
export function labelOf(call: ToolCall, tool: Tool | undefined): string {
  const plain = tool?.annotations?.title ?? call.name;
  if (!tool?.describeCall || call.params === undefined || problemWith(call.params, tool)) return plain;
  try {
    return tool.describeCall(call.params);
  } catch {
    return plain;
  }
}

function prepare(call: ToolCall, session: Session): ToolResult | { readonly tool: Tool; readonly params: unknown } {
  const tool = session.tools.find((tool) => tool.name === call.name);
  if (!tool) return failure("NOT_ENABLED", session.whyNot(call.name), { status: "denied" });
  if (call.invalid !== undefined)
    return failure("BAD_PARAMETERS", "The arguments are not valid JSON, too long or too deeply nested. Write one complete JSON object.");
  const params = call.params ?? {};
  const problem = problemWith(params, tool);
  return problem ? failure("BAD_PARAMETERS", problem) : { tool, params };
}

async function execute(tool: Tool, params: unknown, parts: RunnerParts): Promise<ToolResult> {
  const { session, clock, limits, signal, msLeft } = parts;
  const limit = Math.max(0, Math.min(toolLimit(tool, limits), msLeft));
  let over = false;
  let questions: ServiceQuestions | undefined;
  const bounded = await within(limit, clock, signal, async (own) => {
    const asks = parts.approvals && new ServiceQuestions(tool, { ...parts, signal: own });
    questions = asks;
    const context: ToolContext = {
      tenant: session.question.tenant,
      person: session.person.id,
      asked: { channel: session.question.channel, ...(session.question.message && { message: session.question.message }) },
      audience: session.audience,
      settings: session.settings,
      clock,
      log: parts.log.with({ tool: tool.name }),
      signal: own,
      ...(asks && {
        confirm: (question, withdrawn) => asks.confirm(question, withdrawn),
        writeFor: (request, withdrawn) => asks.writeFor(request, withdrawn),
      }),
      progress: (label) => {
        if (!over) parts.progress(label);
      },
    };
    const run = () => tool.execute(params, context);
    return parts.results ? parts.results.get(tool, params, context, run, () => asks?.asked !== true) : run();
  }).finally(() => {
    over = true;
    questions?.close();
  });
  if (bounded.ended === "done") return bounded.value;
  if (bounded.ended === "aborted") return failure("ABORTED", "The call was stopped.");
  return failure("TIMEOUT", `No result within ${Math.round(limit / 100) / 10} s.`, { retryable: true });
}

/** Keeps what a plugin returned within the contract: the shape, and the length. */
function finalise(result: ToolResult, limit: number): ToolResult {
  if (typeof result?.content !== "string" || typeof result.status !== "string")
    return failure("TOOL_FAILED", "The tool returned no proper result.");
  const sources = result.metadata?.sources?.map((source) => ({ ...source, passage: capped(String(source.passage ?? ""), limit) }));
  return {
    ...result,
    content: capped(result.content, limit),
    metadata: { ...result.metadata, ...(sources && { sources }) },
  };
}

/** Cuts at a character boundary and says so. */
export function capped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
  return `${text.slice(0, end)}\n[cut here: ${text.length - end} more characters]`;
}
