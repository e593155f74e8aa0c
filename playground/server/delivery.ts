import type { Clock } from "../../src/core/clock.ts";
import { Recorded } from "./record.ts";
import type { Json } from "./state.ts";

/** The three kinds of request that Slack sends an app. */
export type EnvelopeKind = "events_api" | "slash_commands" | "interactive";

/** How one attempt went. `body` is what the app answered with (a slash command's text, a view's errors). */
export interface Attempt {
  readonly outcome: "acknowledged" | "http_timeout" | "http_error" | "connection_failed";
  readonly body?: Json;
  /** The app asked not to be sent this again (x-slack-no-retry). */
  readonly final?: boolean;
}

/** One way to the app: Socket Mode or HTTP. Resolves with the outcome, never rejects. */
export interface Transport {
  send(request: {
    readonly kind: EnvelopeKind;
    readonly payload: Json;
    /** 0 on the first attempt. */
    readonly retry: number;
    readonly retryReason?: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<Attempt>;
}

/** The record of one attempt, for tests about acknowledging in time. */
export interface Ack {
  readonly kind: EnvelopeKind;
  /** Of events only. */
  readonly eventId?: string;
  /** The event's type, the command, or the interaction's type. */
  readonly what: string;
  readonly retry: number;
  /** From sending to the acknowledgement, or to giving up. */
  readonly ms: number;
  readonly outcome: Attempt["outcome"];
}

/** Slack's schedule: three seconds to acknowledge, then again at once, after a minute and after five. Milliseconds. */
export const slackRetryDelaysMs: readonly number[] = [3_000, 0, 60_000, 300_000];

/** Sends envelopes and, for events alone, sends them again until they are acknowledged. */
export class Delivery {
  readonly acks: Recorded<Ack>;
  readonly #clock: Clock;
  readonly #delays: readonly number[];
  readonly #stop = new AbortController();
  readonly #onAck: () => void;
  readonly #sending = new Set<Promise<Attempt>>();
  #transport: Transport;

  /**
   * @param retryDelaysMs the time to acknowledge, then the wait before each further attempt
   * @param keep how many acknowledgements are remembered
   */
  constructor(transport: Transport, clock: Clock, retryDelaysMs: readonly number[], keep: number, onAck: () => void) {
    this.acks = new Recorded(keep);
    this.#transport = transport;
    this.#clock = clock;
    this.#delays = retryDelaysMs;
    this.#onAck = onAck;
  }

  /** Sends everything from now on another way. */
  use(transport: Transport): void {
    this.#transport = transport;
  }

  /** Resolves with the last attempt once it is acknowledged or given up. Never rejects. */
  send(kind: EnvelopeKind, payload: Json): Promise<Attempt> {
    const sending = this.#attempts(kind, payload);
    this.#sending.add(sending);
    void sending.finally(() => this.#sending.delete(sending));
    return sending;
  }

  async #attempts(kind: EnvelopeKind, payload: Json): Promise<Attempt> {
    const [timeoutMs = 3_000, ...waits] = this.#delays;
    let attempt = await this.#attempt(kind, payload, timeoutMs, 0);
    if (kind !== "events_api") return attempt;
    for (const [index, wait] of waits.entries()) {
      if (attempt.outcome === "acknowledged" || attempt.final || this.#stop.signal.aborted) break;
      try {
        if (wait > 0) await this.#clock.sleep(wait, this.#stop.signal);
      } catch {
        break;
      }
      attempt = await this.#attempt(kind, payload, timeoutMs, index + 1, attempt.outcome);
    }
    return attempt;
  }

  /** Ends waiting attempts and sends nothing more. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("the fake Slack has stopped"));
    await Promise.all(this.#sending);
  }

  async #attempt(kind: EnvelopeKind, payload: Json, timeoutMs: number, retry: number, retryReason?: string): Promise<Attempt> {
    if (this.#stop.signal.aborted) return { outcome: "connection_failed", final: true };
    const started = this.#clock.monotonic();
    const signal = this.#stop.signal;
    const attempt = await this.#transport.send({ kind, payload, retry, ...(retryReason && { retryReason }), timeoutMs, signal });
    const event = payload.event as Json | undefined;
    this.acks.add({
      kind,
      ...(kind === "events_api" && { eventId: String(payload.event_id) }),
      what: String(event?.type ?? payload.command ?? payload.type),
      retry,
      ms: this.#clock.monotonic() - started,
      outcome: attempt.outcome,
    });
    this.#onAck();
    return attempt;
  }
}
