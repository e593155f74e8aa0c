import { Worker } from "node:worker_threads";
import type { Clock } from "../../../core/clock.ts";
import { compiledEntry } from "../../../core/compiled-entry.ts";
import { AppError } from "../../../core/errors.ts";
import type { ExtractedDocument } from "./document.ts";
import type { ExtractReply, ExtractRequest } from "./worker.ts";

/** Reads files in a thread of its own, one after another, so that a slow or hostile one holds up nothing else. */
export interface Extractor {
  /** Throws AppError DOCUMENT_UNREADABLE, DOCUMENT_EMPTY or FORMAT_UNSUPPORTED. */
  extract(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<ExtractedDocument>;
  close(): Promise<void>;
}

/** A file that makes no progress for this long, in milliseconds, is given up. */
const NO_PROGRESS_MS = 20_000;
/** Nor may one file take longer than this in all, in milliseconds. */
const IN_ALL_MS = 300_000;
/** Memory of the thread, in MiB; a file that needs more is given up. */
const MEMORY_MIB = 768;

export function createExtractor(clock: Clock, { noProgressMs = NO_PROGRESS_MS, inAllMs = IN_ALL_MS } = {}): Extractor {
  let worker: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const stop = async () => {
    const old = worker;
    worker = undefined;
    await old?.terminate();
  };

  const run = async (request: ExtractRequest, signal: AbortSignal): Promise<ExtractedDocument> => {
    signal.throwIfAborted();
    worker ??= new Worker(compiledEntry("./worker.ts", import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB } });
    const thread = worker;
    const over = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        let alive = clock.monotonic();
        const giveUp = (why: string) => reject(new AppError("DOCUMENT_UNREADABLE", why));
        const watch = async () => {
          const began = alive;
          for (;;) {
            const quiet = clock.monotonic() - alive;
            const left = Math.min(noProgressMs - quiet, inAllMs - (clock.monotonic() - began));
            if (left <= 0) return giveUp("Reading it took too long. Split it or export it anew.");
            await clock.sleep(left, over.signal);
          }
        };
        watch().catch(() => undefined);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: over.signal });
        thread.on("message", (reply: ExtractReply) => {
          alive = clock.monotonic();
          if (reply.type === "done") resolve(reply.document);
          if (reply.type === "failed") reject(new ExtractFailure(reply));
        });
        thread.once("error", () => giveUp("It needs too much memory or is damaged."));
        thread.once("exit", () => giveUp("It needs too much memory or is damaged."));
        thread.postMessage(request);
      });
    } catch (error) {
      if (error instanceof ExtractFailure) throw error.asAppError();
      await stop();
      throw error;
    } finally {
      over.abort();
      thread.removeAllListeners();
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
      await stop();
    },
  };
}

/** A failure the thread reported itself: the thread is still good. */
class ExtractFailure extends Error {
  readonly reply: Extract<ExtractReply, { type: "failed" }>;

  constructor(reply: Extract<ExtractReply, { type: "failed" }>) {
    super("extraction failed");
    this.reply = reply;
  }

  asAppError(): AppError {
    return new AppError(this.reply.code, this.reply.detail);
  }
}
