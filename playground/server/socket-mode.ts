import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Clock } from "../../src/core/clock.ts";
import type { Attempt, Transport } from "./delivery.ts";
import { appId, type Json } from "./state.ts";

/** How often Slack pings an open connection. */
const pingEveryMs = 10_000;
/** Slack allows an app this many connections at once. */
const maxConnections = 10;

/** Slack's end of Socket Mode: hands envelopes to open connections in turn and waits for their acknowledgement. */
export class SocketMode implements Transport {
  readonly #server = new WebSocketServer({ noServer: true });
  /** Those that get envelopes; one that was asked to reconnect stays open for its acknowledgements but gets no more. */
  readonly #connections = new Set<WebSocket>();
  readonly #tickets = new Set<string>();
  /** By envelope id. */
  readonly #waiting = new Map<string, (body: Json | undefined) => void>();
  readonly #onConnection = new Set<() => void>();
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #ping: NodeJS.Timeout;
  #turn = 0;

  /** @param onChange is called when a connection opens or closes */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#ping = setInterval(() => {
      for (const socket of this.#server.clients) socket.ping();
    }, pingEveryMs).unref();
  }

  /** How many connections are open. */
  get size(): number {
    return this.#connections.size;
  }

  /** A new single-use ticket for the address that apps.connections.open gives out; undefined when the app has too many connections. */
  ticket(): string | undefined {
    if (this.#connections.size >= maxConnections) return undefined;
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Takes over a request to open a WebSocket. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, ticket: string | null): void {
    if (!ticket || !this.#tickets.delete(ticket)) {
      stream.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
      return;
    }
    this.#server.handleUpgrade(request, stream, head, (socket) => this.#welcome(socket));
  }

  /** Tells every connection to reconnect, as Slack does every few hours. */
  disconnect(reason: "warning" | "refresh_requested" | "link_disabled"): void {
    for (const socket of this.#connections) {
      socket.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "playground" } }));
      if (reason !== "warning") this.#connections.delete(socket);
    }
  }

  /** Breaks every connection without a word. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#connections.clear();
  }

  async send({ kind, payload, retry, retryReason, timeoutMs, signal }: Parameters<Transport["send"]>[0]): Promise<Attempt> {
    const started = this.#clock.monotonic();
    const socket = this.#next() ?? (await this.#firstConnection(timeoutMs, signal));
    if (!socket) return { outcome: "connection_failed" };
    const envelopeId = randomUUID();
    const timer = new AbortController();
    const acknowledged = new Promise<Attempt>((resolve) => {
      this.#waiting.set(envelopeId, (body) => resolve({ outcome: "acknowledged", ...(body && { body }) }));
    });
    const left = Math.max(1, timeoutMs - (this.#clock.monotonic() - started));
    const late = this.#clock.sleep(left, AbortSignal.any([signal, timer.signal])).then(
      (): Attempt => ({ outcome: "http_timeout" }),
      (): Attempt => ({ outcome: "connection_failed" }),
    );
    socket.send(
      JSON.stringify({
        envelope_id: envelopeId,
        type: kind,
        accepts_response_payload: kind !== "events_api",
        payload,
        ...(kind === "events_api" && {
          retry_attempt: retry,
          retry_reason: retryReason === "http_timeout" ? "timeout" : (retryReason ?? ""),
        }),
      }),
    );
    const attempt = await Promise.race([acknowledged, late]);
    this.#waiting.delete(envelopeId);
    timer.abort();
    return attempt;
  }

  /** Says goodbye on every connection and breaks those that do not answer. */
  async stop(): Promise<void> {
    clearInterval(this.#ping);
    await Promise.all([...this.#server.clients].map(goodbye));
    this.#server.close();
  }

  #welcome(socket: WebSocket): void {
    socket.on("message", (data) => this.#acknowledge(String(data)));
    const drop = () => {
      this.#connections.delete(socket);
      this.#onChange();
    };
    socket.on("close", drop);
    socket.on("error", drop);
    this.#connections.add(socket);
    socket.send(
      JSON.stringify({
        type: "hello",
        num_connections: this.#connections.size,
        connection_info: { app_id: appId },
        debug_info: { host: "playground", build_number: 1, approximate_connection_time: 18_060 },
      }),
    );
    for (const tell of this.#onConnection) tell();
    this.#onChange();
  }

  #acknowledge(frame: string): void {
    const { envelope_id: id, payload } = JSON.parse(frame) as { envelope_id?: string; payload?: Json };
    if (id) this.#waiting.get(id)?.(payload && Object.keys(payload).length > 0 ? payload : undefined);
  }

  #next(): WebSocket | undefined {
    const open = [...this.#connections];
    return open[this.#turn++ % Math.max(1, open.length)];
  }

  async #firstConnection(timeoutMs: number, signal: AbortSignal): Promise<WebSocket | undefined> {
    const done = new AbortController();
    const tell = () => done.abort();
    this.#onConnection.add(tell);
    await this.#clock.sleep(timeoutMs, AbortSignal.any([signal, done.signal])).catch(() => undefined);
    this.#onConnection.delete(tell);
    return this.#next();
  }
}

/** How long a client may take to answer a close frame. Milliseconds. */
const goodbyeMs = 200;

function goodbye(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), goodbyeMs);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1000);
  });
}
