import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Writes one HTTP reply by hand: status, headers and bytes as a test wants them. */
export type RawReply = (req: IncomingMessage, res: ServerResponse, body: Record<string, unknown>) => void;

/** A server whose n-th request gets the n-th reply; the last one is repeated. Keeps what it was sent. */
export class RawServer {
  replies: readonly RawReply[] = [];
  readonly bodies: Record<string, unknown>[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((req, res) => {
      let raw = "";
      req.on("data", (piece) => {
        raw += piece;
      });
      req.on("end", () => {
        const body = JSON.parse(raw) as Record<string, unknown>;
        this.bodies.push(body);
        this.replies[Math.min(this.bodies.length, this.replies.length) - 1]?.(req, res, body);
      });
    });
  }

  static async start(...replies: readonly RawReply[]): Promise<RawServer> {
    const made = new RawServer();
    made.replies = replies;
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A whole stream of the given deltas. */
export const streamed =
  (...deltas: readonly object[]): RawReply =>
  (_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of deltas) res.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: null }] })}\n\n`);
    res.end(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
  };

export const refused =
  (status: number, message: string, headers: Record<string, string> = {}): RawReply =>
  (_req, res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error: { message } }));
  };
