import { Additions } from "./additions.ts";
import type { Answering, Ending } from "./answering.ts";
import { quotePassages, whyFallback } from "./fallback.ts";
import { fitted, requestTokens } from "./memory/context-window.ts";
import type { ModelMessage, ModelRequest } from "./model/model.ts";
import { modelTurn, type Turn } from "./model-turn.ts";
import { definitions, synthesisRequest, systemPrompt, wordsRequest } from "./prompt.ts";
import { runCalls } from "./tools/tool-step.ts";

/** However small the rest of the budget is, the last synthesis may write this many tokens. */
const LEAST_OUTPUT_TOKENS = 1_000;
/** The window that makes a request about half as long as it was, when the window itself is not known. */
const HALF_WITH_REPLY = 0.75;
/** No model of today has less. A short request that is refused asked for too long a reply. */
const LEAST_WINDOW = 2_000;
/** The server's tokens are others than ours: what was refused once is made to fit surely. */
const CAREFUL = 0.85;

/**
 * Model, tools, model, tools, until the model writes its answer. A budget that is used up leads to one last call without tools;
 * a model that fails or stays silent leads to quoted passages. Throws only what a port of the session throws.
 */
export async function agentLoop(answering: Answering, conversation: readonly ModelMessage[]): Promise<Ending> {
  const { session, limits, budget, signal, emit } = answering;
  const messages = [...conversation];
  const additions = new Additions(answering);
  /** Why this is the last call, for people; set once a budget is used up. */
  let limit: string | undefined;
  let askedForWords = false;

  for (let step = 1; ; step++) {
    await session.refresh();
    emit({ type: "step-start", step });
    // Without tools, or without a model that understands it, it is better answered by itself.
    if (!limit && !answering.model.quotesOnly) messages.push(...(await additions.next()));
    const request = requestFor(answering, messages, limit !== undefined);
    const turn = await fittedTurn(answering, request, conversation.length - 1, limit ? limits.synthesisMs : budget.msLeft);

    if (signal.aborted) return { type: "stopped", text: turn.text };
    if (turn.failure) return afterFailure(turn, answering);
    if (turn.calls.length > 0 && !limit) {
      forget(turn, answering);
      messages.push({ role: "assistant", content: turn.text, toolCalls: turn.calls });
      await session.refresh();
      messages.push(...(await runCalls(turn.calls, answering)));
      if (signal.aborted) return { type: "stopped", text: "" };
      limit = budget.reached(step);
      continue;
    }
    if (turn.text.trim() !== "") return finished(turn, limit, answering);

    if (limit || askedForWords || turn.end === "no-calls" || turn.end === "filtered")
      return quotePassages(answering, whyFallback(undefined));
    if (turn.end === "timeout") limit = budget.reached(step);
    else messages.push({ role: "user", content: wordsRequest });
    askedForWords = true;
  }
}

/**
 * One model call, within the model's window as far as it is known. A request that turns out to be too long is made once more,
 * shorter: to the size the server names, or to half of what was sent.
 */
async function fittedTurn(answering: Answering, request: ModelRequest, question: number, ms: number): Promise<Turn> {
  const sent = fitted(request, answering.model.contextTokens, question);
  const turn = await modelTurn(answering, sent, ms);
  if (turn.failure?.code !== "context-length" || turn.text !== "") return turn;
  answering.log.info("A request was too long for the model; it is made again, shorter.");
  const window = turn.failure.contextTokens ?? Math.max(LEAST_WINDOW, requestTokens(sent) * HALF_WITH_REPLY);
  return modelTurn(answering, fitted(request, window * CAREFUL, question), ms);
}

function requestFor({ session, clock, budget }: Answering, messages: readonly ModelMessage[], last: boolean): ModelRequest {
  return {
    system: systemPrompt(session, clock),
    messages: last ? [...messages, { role: "user", content: synthesisRequest }] : messages,
    tools: definitions(session.tools),
    toolChoice: last ? "none" : "auto",
    ...(session.template?.temperature !== undefined && { temperature: session.template.temperature }),
    maxOutputTokens: Math.max(LEAST_OUTPUT_TOKENS, budget.outputLeft),
  };
}

/** Text before tool calls was a remark ("Let me look"), not the answer. */
function forget({ text }: Turn, { emit }: Answering) {
  if (text !== "") emit({ type: "text-reset" });
}

function finished(turn: Turn, limit: string | undefined, { emit, limits }: Answering): Ending {
  const notice = limit ?? cutNotice(turn.end, limits.answerChars);
  if (notice) emit({ type: "notice", text: notice });
  return { type: "answered", text: turn.text, outcome: notice ? "limited" : "answered" };
}

function cutNotice(end: Turn["end"], answerChars: number): string | undefined {
  if (end === "too-long") return `The answer was cut at ${answerChars} characters.`;
  if (end === "length") return "The answer was cut at the model's length limit.";
  if (end === "filtered") return "The model's content filter stopped the answer here.";
  if (end === "timeout") return "The answer was cut here, because its time was over.";
  return undefined;
}

/** Half an answer stays visible and is marked as incomplete; with nothing to show, the documents are quoted. */
async function afterFailure(turn: Turn, answering: Answering): Promise<Ending> {
  const { failure, text } = turn;
  answering.log.warn("A model call failed.", { code: failure?.code ?? "unknown" });
  if (text.trim() !== "") return { type: "failed", text, code: "ANSWER_CUT" };
  forget(turn, answering);
  return quotePassages(answering, whyFallback(failure));
}
