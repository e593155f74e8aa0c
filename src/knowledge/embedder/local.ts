import { Worker } from "node:worker_threads";
import { compiledEntry } from "../../core/compiled-entry.ts";
import { AppError } from "../../core/errors.ts";
import { languageOf } from "../full-text/languages.ts";
import type { EmbedReply, EmbedRequest } from "./local-worker.ts";
import type { Embedder } from "./port.ts";

const DIMENSIONS = 512;
/** Texts a thread is given at once: small, so that a question never waits long behind an ingestion. */
const BATCH = 8;

/**
 * Universal Sentence Encoder lite: English, 512 dimensions, in a thread of its own, no network. It knows paraphrases but little
 * vocabulary, hence the small weight beside full text.
 */
export function localEmbedder(): Embedder {
  const query = new EmbedThread();
  const passage = new EmbedThread();
  return {
    id: "use-lite-512",
    dimensions: DIMENSIONS,
    weight: 0.25,
    scale: { unrelated: 0.15, related: 0.6 },
    reads: mayBeEnglish,
    async embed(texts, kind, signal) {
      const thread = kind === "query" ? query : passage;
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH) {
        signal.throwIfAborted();
        vectors.push(...(await thread.embed(texts.slice(from, from + BATCH))));
      }
      signal.throwIfAborted();
      if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== DIMENSIONS)) throw new AppError("EMBEDDER_FAILED");
      return vectors;
    },
    // A model that cannot be loaded is told to the first who asks.
    warm: () => void query.embed([""]).catch(() => {}),
    async close() {
      await Promise.all([query.close(), passage.close()]);
    },
  };
}

/** The model's vocabulary is English; of other languages it sees mostly unknown words, which are all alike to it. */
function mayBeEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters && (languageOf(text) ?? "en") === "en";
}

interface Waiting {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: Error) => void;
}

/** The model in a thread: started when first needed, and anew after it died. */
class EmbedThread {
  #worker: Worker | undefined;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const worker = this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      worker.ref();
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, texts } satisfies EmbedRequest);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(compiledEntry("./local-worker.ts", import.meta.url));
    worker.on("message", (reply: EmbedReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      // An idle model must not keep a finished command alive.
      if (this.#waiting.size === 0) worker.unref();
      if ("vectors" in reply) waiting?.resolve(reply.vectors);
      else waiting?.reject(new AppError("EMBEDDER_FAILED", undefined, { cause: reply.error }));
    });
    const fail = (cause: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new AppError("EMBEDDER_FAILED", "Its thread ended.", { cause }));
      this.#waiting.clear();
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(undefined));
    this.#worker = worker;
    return worker;
  }
}
