import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AppError } from "../core/errors.ts";
import { reasonOf } from "./deadline.ts";
import { refused } from "./destination.ts";
import { LARGEST_RATIO, RATIO_FROM } from "./limits.ts";
import type { FetchLimits } from "./port.ts";

/** How the content of a response is packed and what may come out. */
export interface Packing {
  /** Content-Encoding, in lower case; empty for none. */
  readonly encoding: string;
  /** Media type without parameters, when only certain types are taken. */
  readonly checkedType?: string;
  readonly limits: FetchLimits;
}

export interface Reading {
  /** Has ended the connection when it aborts; its reason is then the error. */
  readonly signal: AbortSignal;
  /** Called when nothing more will be read. */
  ended(): void;
}

/** Encodings that are asked for. */
export const ENCODINGS = "gzip, deflate, br";

const decoders = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

/**
 * The content of a response, unpacked and counted while it comes in: it ends with an error as soon as a limit is passed, however much was
 * announced or would follow.
 */
export function contentOf(body: Readable, packing: Packing, { signal, ended }: Reading): ReadableStream<Uint8Array> {
  const chunks = checked(unpacked(body, packing), packing);
  const finish = (thrown?: unknown) => {
    ended();
    // Without a listener the error of a connection that is cut would end the process.
    body.on("error", () => undefined);
    body.destroy(thrown instanceof Error ? thrown : undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) return controller.enqueue(value);
          finish();
          controller.close();
        } catch (thrown) {
          finish(thrown);
          controller.error(reasonOf(thrown, signal));
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

async function* unpacked(body: Readable, { encoding, limits }: Packing): AsyncGenerator<Uint8Array> {
  const counts = { received: 0, bytes: 0 };
  async function* received(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      counts.received += chunk.length;
      if (counts.received > limits.receivedBytes) throw tooLarge();
      yield chunk;
    }
  }
  const decoder = decoderOf(encoding);
  // What goes wrong comes out of the last stream, too.
  const stream = decoder ? pipeline(body, received, decoder, () => undefined) : received(body);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    counts.bytes += chunk.length;
    if (counts.bytes > limits.bytes) throw tooLarge();
    if (counts.bytes > RATIO_FROM && counts.bytes > counts.received * LARGEST_RATIO) throw tooLarge();
    yield chunk;
  }
}

/** @throws AppError FETCH_REFUSED for an encoding that was not asked for */
function decoderOf(encoding: string) {
  if (encoding === "" || encoding === "identity") return undefined;
  if (!Object.hasOwn(decoders, encoding)) throw refused("Its content is packed in a way that is not supported.");
  return decoders[encoding as keyof typeof decoders]();
}

/** Judges the first bytes before anything is given out: a server may call anything a web page. */
async function* checked(chunks: AsyncGenerator<Uint8Array>, { checkedType }: Packing): AsyncGenerator<Uint8Array> {
  let first = checkedType !== undefined;
  for await (const chunk of chunks) {
    if (first && checkedType !== undefined && !fits(chunk, checkedType)) throw refused("Its content is not what it is called.");
    first = false;
    yield chunk;
  }
}

/** PDF readers accept rubbish within the first kilobyte. Text has no zeros, unless it is UTF-16, which says so. */
function fits(bytes: Uint8Array, type: string): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024));
  if (type === "application/pdf") return head.includes("%PDF-");
  if (!/^text\/|json$|xml$/.test(type)) return true;
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return (wide || !head.includes(0)) && !head.subarray(0, 5).equals(Buffer.from("%PDF-"));
}

export const tooLarge = (): AppError => new AppError("FETCH_LIMIT", "It is too large.");
