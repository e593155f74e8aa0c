import { Worker } from "node:worker_threads";
import type { Clock } from "../../../core/clock.ts";
import { compiledEntry } from "../../../core/compiled-entry.ts";
import { AppError } from "../../../core/errors.ts";
import type { ExtractedDocument } from "./document.ts";
import type { ExtractReply, ExtractRequest } from "./worker.ts";

/** Reads files in a thread of its own, one after another, so that a slow or hostile one holds up nothing else. */
export interface Extractor {
  /** Throws AppError DOCUMENT_UNREADABLE, DOCUMENT_EMPTY or FORMAT_UNSUPPORTED, or the signal's reason. */
  extract(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<ExtractedDocument>;
  close(): Promise<void>;
}

export interface ExtractorOptions {
  /** A file that makes no progress for this long, in milliseconds, is given up: 20,000 unless given. */
  readonly noProgressMs?: number;
  /** Nor may one file take longer than this in all, in milliseconds: 300,000 unless given. */
  readonly inAllMs?: number;
  /** The thread's program: another one only in tests. */
  readonly entry?: URL;
}

/** Memory of the thread, in MiB; a file that needs more is given up. */
const MEMORY_MIB = 768;

/** Starts its thread with the first file and anew after one had to be given up. */
export function createExtractor(clock: Clock, options: ExtractorOptions = {}): Extractor {
  const { noProgressMs = 20_000, inAllMs = 300_000, entry = compiledEntry("./worker.ts", import.meta.url) } = options;
  let thread: ExtractThread | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const run = async (request: ExtractRequest, signal: AbortSignal): Promise<ExtractedDocument> => {
    signal.throwIfAborted();
    thread ??= new ExtractThread(entry);
    const job = thread.start(request, clock);
    const over = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: over.signal });
    });
    try {
      const reply = await Promise.race([job.reply, aborted, watch(job, clock, { noProgressMs, inAllMs }, over.signal)]);
      if (reply.type === "failed") throw new AppError(reply.code, reply.detail);
      return reply.document;
    } finally {
      over.abort();
      if (!job.finished) {
        const broken = thread;
        thread = undefined;
        await broken.stop();
      }
    }
  };

  return {
    extract(name, bytes, signal) {
      const result = queue.then(() => run({ name, bytes }, signal));
      queue = result.catch(() => undefined);
      return result;
    },
    async close() {
      await queue;
      await thread?.stop();
      thread = undefined;
    },
  };
}

type LastReply = Exclude<ExtractReply, { type: "progress" }>;

interface Job {
  readonly reply: Promise<LastReply>;
  /** When the thread was last heard of, on the clock's monotonic scale. */
  heardAt: number;
  /** Whether the thread itself ended the job; otherwise it cannot be used again. */
  finished: boolean;
}

/** Rejects when the job has been silent, or at work, for too long. */
async function watch(
  job: Job,
  clock: Clock,
  limits: Required<Pick<ExtractorOptions, "noProgressMs" | "inAllMs">>,
  over: AbortSignal,
): Promise<never> {
  const began = clock.monotonic();
  for (;;) {
    const now = clock.monotonic();
    const left = Math.min(job.heardAt + limits.noProgressMs - now, began + limits.inAllMs - now);
    if (left <= 0) throw new AppError("DOCUMENT_UNREADABLE", "Reading it took too long. Split it or export it anew.");
    try {
      await clock.sleep(left, over);
    } catch {
      // The job is over: this promise is no longer looked at.
      return await new Promise<never>(() => {});
    }
  }
}

/** The thread and the one job it has at a time. */
class ExtractThread {
  readonly #worker: Worker;
  #onReply: ((reply: ExtractReply) => void) | undefined;
  #onDeath: (() => void) | undefined;

  constructor(entry: URL) {
    this.#worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB } });
    this.#worker.on("message", (reply: ExtractReply) => this.#onReply?.(reply));
    this.#worker.on("error", () => this.#onDeath?.());
    this.#worker.on("exit", () => this.#onDeath?.());
    // An idle thread must not keep a finished command alive.
    this.#worker.unref();
  }

  start(request: ExtractRequest, clock: Clock): Job {
    this.#worker.ref();
    const { promise, resolve } = withResolver();
    const job: Job = { reply: promise, heardAt: clock.monotonic(), finished: false };
    this.#onReply = (reply) => {
      job.heardAt = clock.monotonic();
      if (reply.type === "progress") return;
      job.finished = true;
      this.#worker.unref();
      resolve(reply);
    };
    this.#onDeath = () => resolve({ type: "failed", code: "DOCUMENT_UNREADABLE", detail: "It needs too much memory or is damaged." });
    this.#worker.postMessage(request);
    return job;
  }

  async stop(): Promise<void> {
    this.#onReply = undefined;
    this.#onDeath = undefined;
    await this.#worker.terminate();
  }
}

function withResolver(): { promise: Promise<LastReply>; resolve: (reply: LastReply) => void } {
  let resolve: (reply: LastReply) => void = () => {};
  const promise = new Promise<LastReply>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
