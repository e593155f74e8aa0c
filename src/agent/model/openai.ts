import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { Clock } from "../../core/clock.ts";
import type { Secret } from "../../core/secret.ts";
import { estimateTokens } from "../tokens.ts";
import { failureFromThrown, retryAfterMs } from "./failures.ts";
import type { Model, ModelEvent, ModelFailure, ModelRequest, Usage } from "./model.ts";
import { ReplyAssembly } from "./reply-assembly.ts";
import { chatMessages, chatTools } from "./request.ts";
import { sseData } from "./sse.ts";

export interface OpenAIModelOptions {
  /** Address of any OpenAI-compatible server, ending in /v1 as a rule. */
  readonly baseURL: string;
  /** Absent for servers that want none. */
  readonly apiKey?: Secret;
  readonly model: string;
  readonly clock: Clock;
  /** Milliseconds of silence after which a reply counts as hung. */
  readonly idleMs?: number;
  readonly temperature?: number;
}

const IDLE_MS = 60_000;
/** Further attempts while nothing has been shown. */
const RETRIES = 2;
const FIRST_WAIT_MS = 500;
/** A server that asks for a longer pause than this is as good as down for the person who waits. */
const LONGEST_WAIT_MS = 20_000;

/** Parameters some servers refuse. What was refused once is left out from then on. */
interface Quirks {
  noStreamOptions: boolean;
  noTemperature: boolean;
  maxTokensName: "max_tokens" | "max_completion_tokens";
  unmarkedReasoning: boolean;
}

/**
 * A model behind a chat completions endpoint. The SDK makes the request; the stream is read here, because compatible servers differ
 * from OpenAI in ways that the SDK's own reader gets wrong. Tries again only while nothing has been shown.
 */
export class OpenAIModel implements Model {
  readonly name: string;
  readonly #client: OpenAI;
  readonly #options: OpenAIModelOptions;
  readonly #quirks: Quirks = { noStreamOptions: false, noTemperature: false, maxTokensName: "max_tokens", unmarkedReasoning: false };

  constructor(options: OpenAIModelOptions) {
    this.name = options.model;
    this.#options = options;
    // The SDK would read keys, organisations and addresses from the environment where an option is undefined.
    this.#client = new OpenAI({
      apiKey: options.apiKey?.reveal() ?? "none",
      baseURL: options.baseURL,
      adminAPIKey: null,
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: "off",
      // Silence is measured here, over the whole reply.
      timeout: 2 ** 31 - 1,
    });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for (let attempt = 0; ; attempt++) {
      let shown = false;
      let wait: number | undefined;
      let failure: ModelFailure | undefined;
      try {
        for await (const event of this.#attempt(request, signal)) {
          if (event.type === "model-error") {
            failure = event.error;
            break;
          }
          shown ||= event.type === "text-delta" || event.type === "tool-call";
          yield event;
          if (event.type === "model-end") return;
        }
        failure ??= { code: "cut", message: "The stream ended incomplete.", retryable: true };
      } catch (thrown) {
        if (!shown && this.#learn(thrown, request)) continue;
        failure = thrown === hung ? { code: "timeout", message: "The server fell silent.", retryable: true } : failureFromThrown(thrown);
        wait = retryAfterMs(thrown, this.#options.clock.now());
      }
      if (signal.aborted) failure = { code: "aborted", message: "Stopped.", retryable: false };
      const pause = wait ?? FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2);
      const again = failure.retryable && !shown && attempt < RETRIES && pause <= LONGEST_WAIT_MS;
      if (!again || !(await this.#pause(pause, signal))) return yield { type: "model-error", error: failure };
    }
  }

  async *#attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const own = new AbortController();
    const stop = () => own.abort(finished);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const idle = new IdleGuard(this.#options.idleMs ?? IDLE_MS, this.#options.clock, stop);
    try {
      const response = await this.#client.chat.completions.create(this.#body(request), { signal: own.signal }).asResponse();
      const reply = new ReplyAssembly(this.#quirks.unmarkedReasoning);
      let chars = 0;
      for await (const data of dataOf(response, idle)) {
        for (const event of reply.take(data)) {
          if (event.type === "text-delta") chars += event.text.length;
          yield event;
          if (event.type === "model-error") return;
        }
      }
      this.#quirks.unmarkedReasoning ||= reply.unmarkedReasoning;
      yield* reply.end(idsIn(request), () => estimated(request, chars));
    } catch (thrown) {
      throw idle.silent ? hung : thrown;
    } finally {
      signal.removeEventListener("abort", stop);
      idle.close();
      // Also when the reader wants no more: the server should stop writing.
      stop();
    }
  }

  #body(request: ModelRequest): ChatCompletionCreateParamsStreaming {
    const { noStreamOptions, noTemperature, maxTokensName } = this.#quirks;
    const temperature = request.temperature ?? this.#options.temperature;
    return {
      model: this.name,
      stream: true,
      messages: chatMessages(request),
      ...(request.tools.length > 0 && { tools: chatTools(request.tools), tool_choice: request.toolChoice }),
      ...(!noStreamOptions && { stream_options: { include_usage: true } }),
      ...(temperature !== undefined && !noTemperature && { temperature }),
      ...(request.maxOutputTokens !== undefined && { [maxTokensName]: request.maxOutputTokens }),
    };
  }

  /** Whether a refusal named a parameter we can do without; then the same request is made again at once. */
  #learn(thrown: unknown, request: ModelRequest): boolean {
    const said = thrown instanceof OpenAI.APIError && (thrown.status === 400 || thrown.status === 422) ? thrown.message.toLowerCase() : "";
    const quirks = this.#quirks;
    if (said.includes("stream_options") && !quirks.noStreamOptions) quirks.noStreamOptions = true;
    else if (said.includes("temperature") && !quirks.noTemperature) quirks.noTemperature = true;
    else if (said.includes("max_completion_tokens") && quirks.maxTokensName === "max_tokens" && request.maxOutputTokens !== undefined)
      quirks.maxTokensName = "max_completion_tokens";
    else return false;
    return true;
  }

  /** Waits before another attempt; false when the answer was stopped meanwhile. */
  async #pause(ms: number, signal: AbortSignal): Promise<boolean> {
    return this.#options.clock.sleep(ms, signal).then(
      () => true,
      () => false,
    );
  }
}

const hung = new Error("The server fell silent.");
const finished = new Error("The reply is complete.");

/** Calls `onSilence` when nothing has arrived for a while, measured from the last arrival. One timer for a whole reply. */
class IdleGuard {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #last: number;
  /** Whether it has called. */
  silent = false;

  constructor(ms: number, clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#last = clock.monotonic();
    void this.#watch(ms, onSilence);
  }

  /** Something has arrived. */
  touch() {
    this.#last = this.#clock.monotonic();
  }

  close() {
    this.#stop.abort(finished);
  }

  async #watch(ms: number, onSilence: () => void) {
    try {
      for (let left = ms; left > 0; left = this.#last + ms - this.#clock.monotonic()) await this.#clock.sleep(left, this.#stop.signal);
    } catch {
      return;
    }
    this.silent = true;
    onSilence();
  }
}

/** The data of a response's events. A server that ignored `stream` answers with one JSON object, which is one event and complete. */
async function* dataOf(response: Response, idle: IdleGuard): AsyncGenerator<string> {
  if (response.headers.get("content-type")?.includes("application/json")) {
    yield await response.text();
    return;
  }
  if (response.body) yield* sseData(watched(response.body, idle));
}

async function* watched(body: AsyncIterable<Uint8Array>, idle: IdleGuard): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    idle.touch();
    yield bytes;
  }
}

const idsIn = ({ messages }: ModelRequest): Set<string> =>
  new Set(messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [])));

const estimated = ({ system, messages }: ModelRequest, chars: number): Usage => ({
  inputTokens: [system, ...messages.map(({ content }) => content)].reduce((sum, text) => sum + estimateTokens(text), 0),
  outputTokens: Math.ceil(chars / 4),
});
