import type { ToolResult } from "../../plugins/contract.ts";
import { failure } from "../../plugins/define.ts";
import type { Answering } from "../answering.ts";
import type { ModelMessage, ToolCall } from "../model/model.ts";
import { labelOf, outputLimit, runTool, toolLimit } from "./tool-runner.ts";

/** Even when the token budget is nearly used up, a result says something. In characters. */
const LEAST_OUTPUT = 2_000;
/** Cautious estimate: text in other scripts has fewer characters per token. */
const CHARS_PER_TOKEN = 3;

/**
 * Runs the calls of one step at once, at most `limits.parallel` at the same moment, so that the step takes as long as its slowest
 * tool. Gives one message per call, in the order of the calls, whatever became of each. Never throws.
 */
export async function runCalls(calls: readonly ToolCall[], answering: Answering): Promise<readonly ModelMessage[]> {
  const { session, budget, limits, citations, trace } = answering;
  const verdicts = calls.map((call) => budget.admit(call));
  for (const { name } of calls) {
    const tool = session.tools.find((tool) => tool.name === name);
    if (tool) budget.extendFor(toolLimit(tool, limits));
  }

  const results: ToolResult[] = [];
  let next = 0;
  const lane = async () => {
    while (next < calls.length) {
      const at = next++;
      const call = calls[at];
      if (call) results[at] = await runCall(call, verdicts[at] ?? "yes", answering);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limits.parallel, calls.length) }, lane));

  const room = Math.max(LEAST_OUTPUT, Math.floor((budget.inputLeft * CHARS_PER_TOKEN) / calls.length));
  return calls.map((call, at) => {
    const tool = session.tools.find((tool) => tool.name === call.name);
    const result = results[at] ?? failure("ABORTED", "The call was stopped.");
    const content = citations.render(result, Math.min(outputLimit(tool, limits), room));
    trace.noteHanded(call.id, content.length);
    return { role: "tool", callId: call.id, name: call.name, content };
  });
}

async function runCall(call: ToolCall, verdict: "yes" | "repeated" | "too-many", answering: Answering): Promise<ToolResult> {
  const { session, clock, log, limits, budget, reading, approvals, logins, results, signal, emit } = answering;
  const tool = session.tools.find((tool) => tool.name === call.name);
  const label = labelOf(call, tool);
  emit({ type: "tool-start", call, label });
  const started = clock.monotonic();
  const progress = (label: string) => emit({ type: "tool-progress", callId: call.id, label });
  const shared = { session, clock, log, limits, reading, approvals, logins, results, signal };
  const writer = { model: answering.model, budget, trace: answering.trace };
  const parts = { ...shared, writer, msLeft: budget.msLeft, progress, wait: () => budget.wait() };
  const result = verdict === "yes" ? await runTool(call, parts) : refusals[verdict];
  if (tool && verdict === "yes") reading.note(tool, result);
  emit({ type: "tool-end", call, label, result, ms: clock.monotonic() - started });
  for (const text of result.metadata.notices ?? []) emit({ type: "notice", text });
  return result;
}

const refusals = {
  repeated: failure("REPEATED", "This call was made before with the same arguments; its result is above."),
  "too-many": failure("TOO_MANY_CALLS", "This call was not run: the answer's limit of tool calls is reached."),
};
