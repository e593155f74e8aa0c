import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import type { SafeFetch } from "../../src/safe-fetch/port.ts";
import { createSafeFetch } from "../../src/safe-fetch/safe-fetch.ts";

/** An address of the public internet in the made-up world. */
export const publicAddress = "93.184.216.34";

/** What a server of the made-up world was asked. */
export interface Visit {
  readonly address: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Handle = (request: IncomingMessage, response: ServerResponse, visit: Visit) => void;

/**
 * A world without a network: names resolve as the test says, and whoever connects to any address reaches one local server, which notes
 * where the connection was meant to go. Encryption is left out: what is asked for over https arrives in the clear.
 */
export class OutsideWorld {
  /** Every name that was resolved, in order. */
  readonly lookups: string[] = [];
  /** Every connection that was opened, as "address:port servername". */
  readonly connections: string[] = [];
  readonly visits: Visit[] = [];
  /** Answers for one name, one list for each time it is asked; the last one goes on for ever. Other names are public. */
  readonly names = new Map<string, (readonly string[])[]>();
  handle: Handle = (_request, response) => void response.writeHead(200, { "content-type": "text/plain" }).end("Hello.");
  /** Addresses that refuse a connection, and addresses that never take one. */
  readonly unreachable = new Set<string>();
  readonly silent = new Set<string>();
  /** What every look-up waits for. */
  resolving: Promise<unknown> | undefined;
  /** The address that a socket claims to be connected to; the one that was asked for, unless it is set. */
  remote: string | undefined;
  readonly fetch: SafeFetch;
  readonly #server: Server;
  readonly #sockets = new Map<number, string>();

  private constructor(server: Server, { clock = systemClock, internalOrigins = [] }: WorldOptions) {
    this.#server = server;
    server.on("request", (request, response) => void this.#visit(request, response));
    this.fetch = createSafeFetch({
      clock,
      internalOrigins,
      resolve: async (name) => {
        this.lookups.push(name);
        await this.resolving;
        const answers = this.names.get(name) ?? [[publicAddress]];
        return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      },
      dial: ({ address, port, servername }) => this.#dial(address, port, servername),
    });
  }

  static async start(options: WorldOptions = {}): Promise<OutsideWorld> {
    const server = createServer({ maxHeaderSize: 1024 * 1024 });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new OutsideWorld(server, options);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #dial(address: string, port: number, servername: string | undefined): Socket {
    this.connections.push(`${address}:${port}${servername === undefined ? "" : ` ${servername}`}`);
    if (this.silent.has(address)) return new Socket();
    if (this.unreachable.has(address)) {
      const refusing = new Socket();
      setImmediate(() => refusing.destroy(new Error("ECONNREFUSED")));
      return refusing;
    }
    const socket = connect((this.#server.address() as AddressInfo).port, "127.0.0.1");
    Object.defineProperty(socket, "remoteAddress", { get: () => this.remote ?? address });
    socket.once("connect", () => {
      this.#sockets.set((socket.address() as AddressInfo).port, address);
      if (servername !== undefined) socket.emit("secureConnect");
    });
    return socket;
  }

  async #visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const visit: Visit = {
      address: this.#sockets.get(request.socket.remotePort ?? 0) ?? "unknown",
      method: request.method ?? "",
      url: `http://${request.headers.host}${request.url}`,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    this.visits.push(visit);
    this.handle(request, response, visit);
  }
}

interface WorldOptions {
  readonly clock?: Clock;
  readonly internalOrigins?: readonly string[];
}
