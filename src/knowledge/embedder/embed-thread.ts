import { Worker } from "node:worker_threads";
import { AppError } from "../../core/errors.ts";

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/** `mend` is for people: what the operator has to do about it. */
export type EmbedReply =
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly id: number; readonly error: string; readonly mend?: string };

/** What a worker is started with. */
export interface WorkerStart<Model = unknown> {
  /** Whether it embeds documents, behind which no question should wait. */
  readonly behindAnswers: boolean;
  readonly model?: Model;
}

interface Waiting {
  /** Which thread was asked. */
  readonly worker: Worker;
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: Error) => void;
}

/** Texts that a thread is given at once: small, so that a question never waits long behind an ingestion. */
const BATCH = 8;

/** A model in a thread: started when first needed, and anew after it died. */
export class EmbedThread {
  readonly #entry: URL;
  readonly #start: WorkerStart;
  #worker: Worker | undefined;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** @param entry the compiled worker, which answers each EmbedRequest with an EmbedReply and finds the start in `workerData` */
  constructor(entry: URL, start: WorkerStart) {
    this.#entry = entry;
    this.#start = start;
  }

  /** @throws AppError EMBEDDER_FAILED, also when vectors have another dimension; the signal's reason */
  async embed(texts: readonly string[], dimensions: number, signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += BATCH) {
      signal.throwIfAborted();
      vectors.push(...(await this.#send(texts.slice(from, from + BATCH))));
    }
    signal.throwIfAborted();
    if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimensions)) throw new AppError("EMBEDDER_FAILED");
    return vectors;
  }

  /** Loads the model in the background. One that cannot be loaded is told to the first who asks. */
  warm(): void {
    this.#send([""]).catch(() => {});
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #send(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const worker = this.#running();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      worker.ref();
      this.#waiting.set(id, { worker, resolve, reject });
      worker.postMessage({ id, texts } satisfies EmbedRequest);
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#entry, { workerData: this.#start });
    worker.on("message", (reply: EmbedReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      // An idle model must not keep a finished command alive.
      if (this.#waiting.size === 0) worker.unref();
      if ("vectors" in reply) waiting?.resolve(reply.vectors);
      else waiting?.reject(new AppError("EMBEDDER_FAILED", reply.mend, { cause: reply.error }));
    });
    const fail = (cause: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      // Told twice of one that died: by then its successor may have been asked something.
      for (const [id, waiting] of this.#waiting) {
        if (waiting.worker !== worker) continue;
        this.#waiting.delete(id);
        waiting.reject(new AppError("EMBEDDER_FAILED", "Its thread ended.", { cause }));
      }
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(undefined));
    this.#worker = worker;
    return worker;
  }
}
