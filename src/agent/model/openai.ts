import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { lightFetch } from "../../core/light-fetch.ts";
import type { Secret } from "../../core/secret.ts";
import { estimateTokens } from "../memory/tokens.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { failureFromThrown, retryAfterMs } from "./failures.ts";
import { IdleGuard } from "./idle-guard.ts";
import type { Model, ModelEvent, ModelFailure, ModelRequest, Usage } from "./model.ts";
import { Quirks } from "./quirks.ts";
import { ReplyAssembly } from "./reply-assembly.ts";
import { replyData } from "./reply-body.ts";
import { chatMessages, chatTools } from "./request.ts";

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
  /** Tokens that fit into one request and its reply together. */
  readonly contextTokens?: number;
}

const IDLE_MS = 60_000;
/** Further attempts while nothing has been shown. */
const RETRIES = 2;
const FIRST_WAIT_MS = 500;
/**
 * No attempt begins later than this after the first one, and a server that asks for a longer pause is as good as down for the person
 * who waits. A server that hung until the idle limit is therefore not asked again.
 */
const RETRY_BUDGET_MS = 25_000;

/** How one attempt failed. */
interface Failed {
  readonly failure: ModelFailure;
  /** Whether text was handed out: then it is too late for another attempt. */
  readonly shown: boolean;
  /** Milliseconds until the next attempt, as the server asked. */
  readonly wait?: number | undefined;
  /** The server refused a parameter that is left out from now on. */
  readonly learned?: boolean;
}

/**
 * A model behind a chat completions endpoint. The SDK makes the request; the stream is read here, because compatible servers differ
 * from OpenAI in ways that the SDK's own reader gets wrong. Tries again only while nothing has been shown, and not while its
 * circuit breaker knows the server to be down.
 */
export class OpenAIModel implements Model {
  readonly name: string;
  readonly #client: OpenAI;
  readonly #options: OpenAIModelOptions;
  readonly #quirks = new Quirks();
  readonly #breaker: CircuitBreaker;
  #contextTokens: number | undefined;

  constructor(options: OpenAIModelOptions) {
    this.name = options.model;
    this.#options = options;
    this.#contextTokens = options.contextTokens;
    this.#breaker = new CircuitBreaker(options.clock);
    // The SDK would read keys, organisations and addresses from the environment where an option is undefined.
    this.#client = new OpenAI({
      apiKey: options.apiKey?.reveal() ?? "none",
      baseURL: options.baseURL,
      adminAPIKey: null,
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: "off",
      fetch: lightFetch,
      // Silence is measured here, over the whole reply.
      timeout: 2 ** 31 - 1,
    });
  }

  get contextTokens(): number | undefined {
    return this.#contextTokens;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { clock } = this.#options;
    const started = clock.monotonic();
    let last = leftAlone;
    for (let attempt = 0; this.#breaker.allows(); ) {
      const failed = yield* this.#attempt(request, signal);
      if (!failed) return;
      last = failed.failure;
      if (failed.learned) continue;
      const pause = failed.wait ?? FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2);
      const inTime = clock.monotonic() - started + pause <= RETRY_BUDGET_MS;
      if (!last.retryable || failed.shown || attempt++ >= RETRIES || !inTime || !(await this.#pause(pause, signal))) break;
    }
    yield { type: "model-error", error: signal.aborted ? stopped : last };
  }

  /** One request. Gives what can be handed out, then nothing, or how it failed. */
  async *#attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, Failed | undefined> {
    const body = this.#body(request);
    let shown = false;
    // Calls count once the reply is complete: until then another attempt can still be made.
    const held: ModelEvent[] = [];
    let server: "alive" | "down" | "unknown" = "unknown";
    const failed = (failure: ModelFailure, more: Partial<Failed> = {}): Failed => {
      if (!signal.aborted) server = failure.code === "unreachable" || failure.code === "timeout" ? "down" : "alive";
      if (failure.contextTokens) this.#contextTokens = Math.min(this.#contextTokens ?? Number.POSITIVE_INFINITY, failure.contextTokens);
      return { failure, shown, ...more };
    };
    try {
      for await (const event of this.#reply(request, body, signal)) {
        if (event.type === "model-error") return failed(event.error);
        if (event.type === "tool-call") {
          held.push(event);
          continue;
        }
        shown ||= event.type === "text-delta";
        // Before it is handed out: after the end nobody asks for more.
        if (event.type === "model-end") {
          server = "alive";
          yield* held;
        }
        yield event;
      }
      return undefined;
    } catch (thrown) {
      if (thrown === hung) return failed({ code: "timeout", message: "The server fell silent.", retryable: true });
      const failure = failureFromThrown(thrown);
      const learned =
        !shown && isRefusal(thrown) && failure.code !== "context-length" && this.#quirks.learn(failureText(thrown), { ...body });
      return failed(failure, { wait: retryAfterMs(thrown, this.#options.clock.now()), learned });
    } finally {
      this.#breaker.report(server);
    }
  }

  /** The events of one reply, ending in model-end or model-error. Throws what the connection throws. */
  async *#reply(request: ModelRequest, body: ChatCompletionCreateParamsStreaming, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { clock, idleMs = IDLE_MS } = this.#options;
    const own = new AbortController();
    const stop = () => own.abort(finished);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const idle = new IdleGuard(idleMs, clock, stop);
    let open = true;
    try {
      const response = await this.#client.chat.completions.create(body, { signal: own.signal }).asResponse();
      const reply = new ReplyAssembly(this.#quirks.unmarkedReasoning, this.name);
      let chars = 0;
      const onEnd = () => {
        open = false;
      };
      for await (const data of replyData(response, clock, { onBytes: () => idle.touch(), onEnd })) {
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
      if (open) stop();
    }
  }

  #body(request: ModelRequest): ChatCompletionCreateParamsStreaming {
    const { temperature = this.#options.temperature, maxOutputTokens } = request;
    return {
      model: this.name,
      stream: true,
      messages: chatMessages(request, this.name),
      ...(request.tools.length > 0 && { tools: chatTools(request.tools), tool_choice: request.toolChoice }),
      ...this.#quirks.parameters({ temperature, maxOutputTokens }),
    };
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
const stopped: ModelFailure = { code: "aborted", message: "Stopped.", retryable: false };
const leftAlone: ModelFailure = {
  code: "unreachable",
  message: "The server failed several times in a row and is left alone for half a minute.",
  retryable: true,
};

const isRefusal = (thrown: unknown): boolean => thrown instanceof OpenAI.APIError && (thrown.status === 400 || thrown.status === 422);
const failureText = (thrown: unknown): string => messageOf(thrown).toLowerCase();

const idsIn = ({ messages }: ModelRequest): Set<string> =>
  new Set(messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [])));

const estimated = ({ system, messages }: ModelRequest, chars: number): Usage => ({
  inputTokens: [system, ...messages.map(({ content }) => content)].reduce((sum, text) => sum + estimateTokens(text), 0),
  outputTokens: Math.ceil(chars / 4),
});
