import type { Logger } from "../../core/logger.ts";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "./model.ts";

/** Another model would fail in the same way, or the asker wants none. */
const final: ReadonlySet<ModelFailure["code"]> = new Set<ModelFailure["code"]>(["aborted", "context-length"]);

/** Two models as one: the second is asked when the first has failed and nothing of its reply was handed out. */
export class FallbackModel implements Model {
  readonly name: string;
  readonly #first: Model;
  readonly #second: Model;
  readonly #log: Logger;

  constructor(first: Model, second: Model, log: Logger) {
    this.name = first.name;
    this.#first = first;
    this.#second = second;
    this.#log = log;
  }

  /** What fits into both. */
  get contextTokens(): number | undefined {
    const known = [this.#first, this.#second].flatMap(({ contextTokens }) => contextTokens ?? []);
    return known.length > 0 ? Math.min(...known) : undefined;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let handedOut = false;
    for await (const event of this.#first.stream(request, signal)) {
      if (event.type === "model-error" && !handedOut && !final.has(event.error.code)) {
        this.#log.warn("The language model failed, so the fallback model is asked.", { code: event.error.code });
        return yield* this.#fromSecond(request, signal);
      }
      handedOut = true;
      yield event;
    }
  }

  async *#fromSecond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for await (const event of this.#second.stream(request, signal))
      yield event.type === "model-end" ? { ...event, model: this.#second.name } : event;
  }
}
