import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import { type Clock, notNeeded } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";

/**
 * Turns Bolt's order around: Bolt acknowledges an event before its listeners run, so a crash or a dead database would lose it.
 * Here Slack gets its acknowledgement when the listeners, which only store, are done, and none when they fail or take too long: then
 * Slack delivers again.
 */
export class AckAfterWork implements Receiver {
  readonly #inner: Receiver;
  readonly #clock: Clock;
  readonly #withinMs: number;
  readonly #open = new Set<Promise<void>>();

  /** @param withinMs how long listeners may take; Slack waits three seconds in all */
  constructor(inner: Receiver, clock: Clock, withinMs: number) {
    this.#inner = inner;
    this.#clock = clock;
    this.#withinMs = withinMs;
  }

  init(app: App): void {
    const gate = Object.create(app) as App;
    gate.processEvent = (event) => {
      const handled = this.#handle(app, event);
      this.#open.add(handled);
      const forget = () => this.#open.delete(handled);
      handled.then(forget, forget);
      return handled;
    };
    this.#inner.init(gate);
  }

  start(...args: unknown[]): Promise<unknown> {
    return this.#inner.start(...args);
  }

  stop(...args: unknown[]): Promise<unknown> {
    return this.#inner.stop(...args);
  }

  /** Resolves when every delivery that had come in is acknowledged or refused. */
  async drained(): Promise<void> {
    await Promise.allSettled([...this.#open]);
  }

  async #handle(app: App, event: ReceiverEvent): Promise<void> {
    let response: Parameters<ReceiverEvent["ack"]>[0];
    const ack: ReceiverEvent["ack"] = async (given) => {
      response = given;
    };
    const over = new AbortController();
    const tooLate = this.#clock.sleep(this.#withinMs, over.signal).then(() => {
      throw new AppError("EVENT_NOT_STORED");
    });
    try {
      await Promise.race([app.processEvent({ ...event, ack }), tooLate]);
    } finally {
      over.abort(notNeeded);
      tooLate.catch(() => undefined);
    }
    await event.ack(response);
  }
}
