import { createServer, type Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";

/** The part of the engine that is used here: it takes whole protocol messages and gives the answers. */
export type Engine = Pick<PGlite, "execProtocolRawSync" | "isInTransaction">;

// What may come before the first message, by its code; everything else is the start of a session.
const sslRequest = 80_877_103;
const gssRequest = 80_877_104;
const cancelRequest = 80_877_102;

const headerBytes = 5;
const parseComplete = Buffer.from("1\0\0\0\x04", "latin1");
/** Requests after which kept statements are planned anew: tables grow, and nobody looks at them as a server's autovacuum does. */
const plannedFor = 5_000;
const discardPlans = Buffer.from("Q\0\0\0\x12DISCARD PLANS\0", "latin1");
const letter = (char: string): number => char.charCodeAt(0);
/** Messages with which a client waits for an answer: the engine is given everything up to one of them at once. */
const waits = new Set(["Q", "S", "H", "F", "c", "f"].map(letter));
const flush = letter("H");
const terminate = letter("X");
const parse = letter("P");
const rollback = Buffer.from("Q\0\0\0\x0dROLLBACK\0", "latin1");

/** What one client has asked at once. */
interface Request {
  readonly client: Client;
  readonly bytes: Buffer;
  /** Whether more of the same statement follows. */
  readonly goesOn: boolean;
}

/**
 * Answers Postgres clients on a unix socket with the one session that the engine has. Requests are served in their order, but while a
 * client's transaction is open only that client is served. A statement with parameters, which is five messages, is handed over in
 * one piece: that takes an eighth of the time. Statements that clients name are kept in the session for all of them, so a name must stand
 * for the same text everywhere: who asks to have one parsed that is there is told that it was.
 */
export class SocketServer {
  readonly #engine: Engine;
  readonly #failed: () => void;
  readonly #clients = new Set<Client>();
  readonly #server = createServer((socket) => this.#open(socket));
  #waiting: Request[] = [];
  /** Whose transaction, or unfinished statement, is open. */
  #owner: Client | undefined;
  /** Names of the statements that the session keeps. */
  readonly #kept = new Set<string>();
  #served = 0;

  /** @param failed told when the engine itself broke, not a statement: nothing can be answered any more */
  constructor(engine: Engine, failed: () => void) {
    this.#engine = engine;
    this.#failed = failed;
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(path, resolve);
    });
  }

  /** Closes every connection; what was asked and not answered is not done. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const client of this.#clients) client.socket.destroy();
    return closed;
  }

  #open(socket: Socket): void {
    const client = new Client(socket, (request) => {
      this.#waiting.push(request);
      this.#serve();
    });
    this.#clients.add(client);
    socket.on("close", () => this.#forget(client));
  }

  #serve(): void {
    for (let request = this.#next(); request; request = this.#next()) {
      const { client, bytes, goesOn } = request;
      const answer = this.#answer(bytes);
      if (!answer) return;
      if (client.socket.writable) client.socket.write(answer);
      this.#owner = goesOn || this.#engine.isInTransaction() ? client : undefined;
      // Its transaction ends with the connection.
      if (this.#owner && !this.#clients.has(client)) this.#abandon();
    }
  }

  #next(): Request | undefined {
    const at = this.#owner ? this.#waiting.findIndex(({ client }) => client === this.#owner) : 0;
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  /** Leaves out what begins a request when it would only parse what is parsed. */
  #answer(bytes: Buffer): Uint8Array | undefined {
    if (++this.#served % plannedFor === 0 && !this.#engine.isInTransaction()) this.#run(discardPlans);
    const name = bytes[0] === parse ? bytes.toString("latin1", headerBytes, bytes.indexOf(0, headerBytes)) : "";
    if (name === "") return this.#run(bytes);
    if (this.#kept.has(name)) {
      const rest = this.#run(bytes.subarray(1 + bytes.readInt32BE(1)));
      return rest && Buffer.concat([parseComplete, rest]);
    }
    const answer = this.#run(bytes);
    if (answer?.[0] === parseComplete[0]) this.#kept.add(name);
    return answer;
  }

  #run(bytes: Buffer): Uint8Array | undefined {
    try {
      return this.#engine.execProtocolRawSync(bytes);
    } catch {
      this.#failed();
      return undefined;
    }
  }

  #forget(client: Client): void {
    this.#clients.delete(client);
    this.#waiting = this.#waiting.filter((request) => request.client !== client);
    if (this.#owner !== client) return;
    this.#abandon();
    this.#serve();
  }

  #abandon(): void {
    this.#run(rollback);
    this.#owner = undefined;
  }
}

/** One connection: puts bytes together to requests. */
class Client {
  readonly socket: Socket;
  readonly #ask: (request: Request) => void;
  #bytes: Buffer = Buffer.alloc(0);
  /** How much of the bytes is whole messages that wait for the rest of their request. */
  #whole = 0;
  #started = false;

  constructor(socket: Socket, ask: (request: Request) => void) {
    this.socket = socket;
    this.#ask = ask;
    socket.on("data", (piece) => this.#take(piece as Buffer));
    // The close that follows is what counts.
    socket.on("error", () => undefined);
  }

  #take(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    while (!this.#started) if (!this.#start()) return;
    for (let left = this.#bytes.length - this.#whole; left >= headerBytes; left = this.#bytes.length - this.#whole) {
      const type = this.#bytes[this.#whole] as number;
      const length = 1 + this.#bytes.readInt32BE(this.#whole + 1);
      if (left < length) return;
      if (type === terminate) return void this.socket.end();
      this.#whole += length;
      if (waits.has(type)) this.#send(type === flush);
    }
  }

  /** What comes before the first message. @returns whether there may be more of it */
  #start(): boolean {
    if (this.#bytes.length < 8 || this.#bytes.length < this.#bytes.readInt32BE(0)) return false;
    const code = this.#bytes.readInt32BE(4);
    this.#whole = this.#bytes.readInt32BE(0);
    if (code === cancelRequest) {
      // Nothing runs while this is read.
      this.socket.end();
      return false;
    }
    if (code === sslRequest || code === gssRequest) {
      this.#cut();
      this.socket.write("N");
    } else {
      this.#started = true;
      this.#send(false);
    }
    return true;
  }

  #send(goesOn: boolean): void {
    this.#ask({ client: this, bytes: this.#cut(), goesOn });
  }

  #cut(): Buffer {
    const whole = this.#bytes.subarray(0, this.#whole);
    this.#bytes = this.#bytes.subarray(this.#whole);
    this.#whole = 0;
    return whole;
  }
}
