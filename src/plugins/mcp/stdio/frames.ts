import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** Longest message that is read, in bytes. */
const LONGEST_FRAME = 4 * 1024 * 1024;
/** How much of both ends of a longer one is kept, to see which call it answers. */
const KEPT_ENDS = 1_024;

export interface FrameSink {
  message(message: JSONRPCMessage): void;
  /** Something that is no message of the protocol: programs print all sorts of things. Its text is nobody's business. */
  noise(bytes: number): void;
}

/**
 * Cuts a program's output into messages, one a line. Whatever else stands there is skipped; a message that is too long is answered in its
 * place with an error, so that whoever waits for it does not wait in vain.
 */
export class Frames {
  readonly #sink: FrameSink;
  #chunks: Buffer[] = [];
  #length = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10, from); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#head) {
      this.#tail = lastOf(this.#tail, piece);
    } else if (this.#length > LONGEST_FRAME) {
      const whole = Buffer.concat([...this.#chunks, piece]);
      this.#head = Buffer.from(whole.subarray(0, KEPT_ENDS));
      this.#tail = lastOf(Buffer.alloc(0), whole);
      this.#chunks = [];
    } else this.#chunks.push(piece);
  }

  #finish(): void {
    const length = this.#length;
    const message = this.#head ? tooLong(this.#head, this.#tail) : parsed(Buffer.concat(this.#chunks));
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    this.#tail = Buffer.alloc(0);
    if (message) this.#sink.message(message);
    else if (length > 0) this.#sink.noise(length);
  }
}

const lastOf = (before: Buffer, piece: Buffer): Buffer =>
  Buffer.from(Buffer.concat([before, piece.subarray(-KEPT_ENDS)]).subarray(-KEPT_ENDS));

/** Undefined for anything but a message of JSON-RPC 2.0. */
function parsed(line: Buffer): JSONRPCMessage | undefined {
  const text = line.toString("utf8").trim();
  if (!text.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as { jsonrpc?: unknown; method?: unknown; id?: unknown };
    const isMessage = value.jsonrpc === "2.0" && (typeof value.method === "string" || "id" in value);
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** An error in place of a long answer. Its id stands at one of its ends, depending on who wrote it. */
function tooLong(head: Buffer, tail: Buffer): JSONRPCMessage | undefined {
  const id =
    /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d+)/.exec(head.toString("latin1"))?.[1] ??
    /"id":\s*(\d+)\s*\}\s*$/.exec(tail.toString("latin1"))?.[1];
  if (id === undefined) return undefined;
  return {
    jsonrpc: "2.0",
    id: Number(id),
    error: { code: -32000, message: `The result is longer than ${LONGEST_FRAME / 1024 / 1024} MiB.` },
  };
}
