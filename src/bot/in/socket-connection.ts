import type { SocketModeReceiver } from "@slack/bolt";
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";

const firstPauseMs = 250;
const longestPauseMs = 15_000;
/** A connection on which Slack does not say hello in this time is given up. */
const helloWithinMs = 30_000;

/**
 * Keeps one Socket Mode connection open. The SDK's own reconnection waits five seconds without a socket after every routine disconnect,
 * and its failure when the network is down is an unhandled rejection, which ends the process.
 */
export class SocketConnection {
  readonly #client: SocketModeReceiver["client"];
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #connected = false;
  #disconnected: () => void = () => undefined;

  /** @param receiver made with `autoReconnectEnabled` false in its client */
  constructor(receiver: SocketModeReceiver, clock: Clock, log: Logger) {
    this.#client = receiver.client;
    this.#clock = clock;
    this.#log = log;
    this.#client.on("disconnected", () => this.#disconnected());
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Resolves when connected for the first time; rejects when Slack refuses the token. */
  async start(): Promise<void> {
    await this.#client.start();
    void this.#keep();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#connected) await this.#client.disconnect();
    this.#connected = false;
  }

  async #keep(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!this.#stop.signal.aborted) {
      this.#connected = true;
      await new Promise<void>((resolve) => {
        this.#disconnected = resolve;
      });
      this.#connected = false;
      while (!this.#stop.signal.aborted && !(await this.#reconnected())) {
        this.#log.warn("No connection to Slack; trying again.", { ms: pauseMs });
        await this.#clock.sleep(pauseMs, this.#stop.signal).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
      pauseMs = firstPauseMs;
    }
  }

  async #reconnected(): Promise<boolean> {
    const over = new AbortController();
    const late = this.#clock.sleep(helloWithinMs, over.signal).then(() => this.#client.disconnect());
    const connected = await Promise.race([this.#client.start().then(() => true), late.then(() => false)]).catch(() => false);
    over.abort();
    late.catch(() => undefined);
    return connected;
  }
}
