import type { Clock } from "../core/clock.ts";
import type { Budget } from "./budget.ts";
import { within } from "./deadline.ts";
import { estimateTokens } from "./memory/tokens.ts";
import type { Model, ModelRequest } from "./model/model.ts";
import type { TraceRecorder } from "./trace-recorder.ts";

/** What a call of the model beside the conversation needs. */
export interface SideCallParts {
  readonly model: Model;
  readonly clock: Clock;
  readonly budget: Pick<Budget, "msLeft" | "spend">;
  readonly trace: Pick<TraceRecorder, "noteModel">;
}

/** What came of it. `finish`: how the model said that it ended, or why it did not. */
export interface SideText {
  readonly text: string;
  readonly finish: string;
}

/**
 * One call of the answer's model without tools and without the conversation, for at most `ms` milliseconds. It counts towards the answer's
 * budget and stands in its trace. Never throws.
 * @param what what it is for, in the trace
 */
export async function sideCall(
  { model, clock, budget, trace }: SideCallParts,
  request: Omit<ModelRequest, "tools" | "toolChoice">,
  { ms, what, signal }: { readonly ms: number; readonly what: string; readonly signal: AbortSignal },
): Promise<SideText> {
  const started = clock.monotonic();
  let text = "";
  let finish = "timeout";
  let usage = { inputTokens: requestedTokens(request), outputTokens: 0 };
  let reported = false;
  await within(Math.min(ms, budget.msLeft), clock, signal, async (own) => {
    try {
      for await (const event of model.stream({ ...request, tools: [], toolChoice: "none" }, own)) {
        if (own.aborted) return;
        if (event.type === "text-delta") text += event.text;
        if (event.type === "text-reset") text = "";
        if (event.type === "model-error") finish = event.error.code;
        if (event.type === "model-end") {
          ({ usage, finish } = event);
          reported = true;
        }
      }
    } catch {
      finish = "bad-answer";
    }
  });
  // What was written until it was cut is paid for all the same.
  if (!reported) usage = { ...usage, outputTokens: estimateTokens(text) };
  budget.spend(usage);
  trace.noteModel({ model: model.name, ms: clock.monotonic() - started, usage, finish: `${what}: ${finish}` });
  return { text, finish };
}

/** About how many tokens a request has. */
export const requestedTokens = ({ system, messages }: Pick<ModelRequest, "system" | "messages">): number =>
  estimateTokens(system) + messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
