import { CallAssembly, type CallFragment } from "./call-assembly.ts";
import { failureFromBody } from "./failures.ts";
import type { ModelEvent, ModelFailure, Usage } from "./model.ts";
import { ReasoningFilter } from "./reasoning.ts";

/** One event of a chat completion stream, as far as we read it. A whole completion has `message` in place of `delta`. */
interface Chunk {
  readonly choices?: readonly Choice[] | null;
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number; readonly total_tokens?: number } | null;
  readonly error?: unknown;
}

interface Choice {
  readonly index?: number;
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly finish_reason?: string | null;
}

interface Delta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallFragment[] | null;
}

/** What the adapter must send back with the first call of a reply, see `ToolCall.opaque`. */
export interface Opaque {
  /** The model that wrote it: another one would refuse it. */
  readonly by: string;
  readonly reasoning?: string;
  readonly extra?: unknown;
}

/** Puts one reply together from the data of its events. Calls are given out only when the reply is complete. */
export class ReplyAssembly {
  readonly #calls = new CallAssembly();
  readonly #filter: ReasoningFilter;
  #reasoning = "";
  #finish: string | undefined;
  #done = false;
  #unmarked = false;
  #usage: Usage | undefined;

  readonly #model: string;

  /** @param startsUnmarked see ReasoningFilter @param model name of the model that writes */
  constructor(startsUnmarked: boolean, model: string) {
    this.#model = model;
    this.#filter = new ReasoningFilter(startsUnmarked);
  }

  /** The reply's reasoning had an end but no beginning: later replies of this model will too. */
  get unmarkedReasoning(): boolean {
    return this.#unmarked;
  }

  /** Whether the server said that the reply is complete. */
  get complete(): boolean {
    return this.#done || this.#finish !== undefined;
  }

  /** What one event brings. An error inside the stream is the last event. */
  take(data: string): readonly ModelEvent[] {
    if (data.trim() === "[DONE]") {
      this.#done = true;
      return [];
    }
    const chunk = parsed(data);
    // After the end it can only be usage that was cut off; the answer is whole.
    if (!chunk && this.complete) return [];
    if (!chunk) return [failed({ code: "bad-answer", message: "The server sent something that is not JSON.", retryable: true })];
    if (chunk.usage) this.#usage = usageOf(chunk.usage);
    const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
    const events = choice ? this.#choice(choice) : [];
    return chunk.error ? [...events, failed(failureFromBody(chunk.error))] : events;
  }

  /**
   * The end of the reply: its calls and how it ended, or why it cannot be used.
   * @param usedIds ids of the conversation's earlier calls
   * @param estimate the usage when the server reported none
   */
  end(usedIds: Set<string>, estimate: () => Usage): readonly ModelEvent[] {
    if (!this.complete) return [failed({ code: "cut", message: "The stream ended incomplete.", retryable: true })];
    if (this.#finish === "length" && this.#calls.any)
      return [failed({ code: "cut", message: "The reply was truncated inside a tool call.", retryable: false })];
    const rest = this.#filter.end();
    const calls = this.#calls.finish(usedIds);
    return [
      ...(rest ? [{ type: "text-delta", text: rest } as const] : []),
      ...calls.map(({ extra, ...call }, at): ModelEvent => {
        const opaque: Opaque = {
          by: this.#model,
          ...(at === 0 && this.#reasoning && { reasoning: this.#reasoning }),
          ...(extra !== undefined && { extra }),
        };
        return { type: "tool-call", call: Object.keys(opaque).length > 1 ? { ...call, opaque } : call };
      }),
      { type: "model-end", finish: finishOf(this.#finish, calls.length), usage: this.#usage ?? estimate() },
    ];
  }

  #choice({ delta, message, finish_reason }: Choice): readonly ModelEvent[] {
    const { content, refusal, reasoning_content, reasoning, tool_calls } = delta ?? message ?? {};
    if (finish_reason) this.#finish = finish_reason;
    this.#reasoning += reasoning_content ?? reasoning ?? "";
    for (const fragment of tool_calls ?? []) this.#calls.add(fragment);
    const { reset, text } = content ? this.#filter.push(content) : { reset: false, text: "" };
    if (reset) this.#unmarked = true;
    const shown = text + (refusal ?? "");
    return [...(reset ? [{ type: "text-reset" } as const] : []), ...(shown ? [{ type: "text-delta", text: shown } as const] : [])];
  }
}

function parsed(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const failed = (error: ModelFailure): ModelEvent => ({ type: "model-error", error });

const usageOf = ({ prompt_tokens = 0, completion_tokens = 0, total_tokens = 0 }: NonNullable<Chunk["usage"]>): Usage => ({
  inputTokens: prompt_tokens,
  // Reasoning that is billed but not counted as completion only shows in the total.
  outputTokens: Math.max(completion_tokens, total_tokens - prompt_tokens),
});

/** Servers say "stop" when they mean "tool_calls", and the other way round: what is there decides. */
function finishOf(finish: string | undefined, calls: number): Extract<ModelEvent, { type: "model-end" }>["finish"] {
  if (finish === "content_filter") return "filtered";
  if (calls > 0 || finish === "tool_calls") return "tool-calls";
  return finish === "length" ? "length" : "stop";
}
