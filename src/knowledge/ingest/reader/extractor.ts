import type { Clock } from "../../../core/clock.ts";
import { compiledEntry } from "../../../core/compiled-entry.ts";
import { AppError } from "../../../core/errors.ts";
import type { TenantId } from "../../../core/ids.ts";
import type { ExtractedDocument } from "../extract/document.ts";
import { FairQueue } from "./fair-queue.ts";
import { type Ending, type FileToRead, ReaderProcess, type ReadingJob } from "./reader-process.ts";
import { withRecognisedText } from "./recognised-pages.ts";
import { installedRecogniser, type TextRecogniser } from "./text-recognition.ts";

/** Reads files in a process of its own, one after another and workspaces in turn, so that a slow or hostile one harms nothing else. */
export interface Extractor {
  /**
   * Throws AppError DOCUMENT_UNREADABLE, DOCUMENT_EMPTY or FORMAT_UNSUPPORTED with the reason, READER_GAVE_UP when the file hung or crashed
   * the process or broke its limits, or the signal's reason.
   */
  extract(file: FileToRead, signal: AbortSignal): Promise<ExtractedDocument>;
  close(): Promise<void>;
}

export interface ExtractorOptions {
  /** A file that makes no progress for this long, in milliseconds, is given up: 20,000 unless given. */
  readonly noProgressMs?: number;
  /** Nor may one file take longer than this in all, in milliseconds: 300,000 unless given. */
  readonly inAllMs?: number;
  /** Nor may the process take more memory than this, in bytes: 1.5 GiB unless given. Watched where the system tells (Linux). */
  readonly memory?: number;
  /** The process's program: another one only in tests. */
  readonly entry?: URL;
  /** Reads the pictures of pages without text: tesseract where it is installed, unless given. */
  readonly recogniser?: () => Promise<TextRecogniser | undefined>;
}

/** How often the process is looked at while it works. */
const LOOK_MS = 200;

/** An idle process is ended after this long: it holds some 100 MiB. */
const IDLE_MS = 30_000;

/** A process that worked this long in all is replaced after the file at hand, before the system's limit on its time counts. */
const WORN_MS = 240_000;

/** Warm processes at most: two workspaces that ingest at the same time take turns without a new process for every file. */
const WARM = 2;

interface Warm {
  readonly process: ReaderProcess;
  workedMs: number;
}

/** Starts a workspace's process with its first file, and anew after one that had to be given up or was damaged. */
export function createExtractor(clock: Clock, options: ExtractorOptions = {}): Extractor {
  const limits = { noProgressMs: 20_000, inAllMs: 300_000, memory: 1536 * 1024 * 1024, ...options };
  let recogniser: Promise<TextRecogniser | undefined> | undefined;
  const entry = options.entry ?? compiledEntry("./worker.ts", import.meta.url);
  /** By workspace, the least recently used first. */
  const warm = new Map<TenantId, Warm>();
  const queue = new FairQueue();
  let idle = new AbortController();

  const end = async (tenant: TenantId): Promise<void> => {
    const ended = warm.get(tenant);
    warm.delete(tenant);
    await ended?.process.stop();
  };
  const endAll = async (): Promise<void> => {
    await Promise.all([...warm.keys()].map(end));
  };

  const processFor = async (tenant: TenantId): Promise<Warm> => {
    if (warm.get(tenant)?.process.alive === false) await end(tenant);
    const reader = warm.get(tenant) ?? { process: new ReaderProcess(entry, clock), workedMs: 0 };
    warm.delete(tenant);
    warm.set(tenant, reader);
    const [oldest] = warm.keys();
    if (warm.size > WARM && oldest) await end(oldest);
    return reader;
  };

  const run = async (file: FileToRead, signal: AbortSignal): Promise<ExtractedDocument> => {
    signal.throwIfAborted();
    idle.abort();
    recogniser ??= options.recogniser ? options.recogniser() : installedRecogniser(clock);
    const recognises = await recogniser;
    const reader = await processFor(file.tenant);
    const began = clock.monotonic();
    let clean = false;
    try {
      const job = reader.process.start(file, recognises !== undefined);
      const ending = await supervise(reader.process, job, { clock, limits, signal });
      // Whatever is damaged may be so on purpose: the next file gets a fresh process.
      clean = ending.type === "done" || (ending.type === "failed" && ending.code !== "DOCUMENT_UNREADABLE");
      const document = documentOf(ending);
      return recognises && job.pictures.length > 0
        ? await withRecognisedText(document, job.pictures, recognises, { clock, signal })
        : document;
    } finally {
      reader.workedMs += clock.monotonic() - began;
      if (!clean || reader.workedMs > WORN_MS) await end(file.tenant);
      endWhenIdle();
    }
  };

  const endWhenIdle = (): void => {
    const waiting = new AbortController();
    idle = waiting;
    clock.sleep(IDLE_MS, waiting.signal).then(
      () => (waiting.signal.aborted ? undefined : endAll()),
      () => {},
    );
  };

  return {
    extract: (file, signal) => queue.run(file.tenant, () => run(file, signal), signal),
    async close() {
      await queue.idle();
      idle.abort();
      await endAll();
    },
  };
}

interface Supervision {
  readonly clock: Clock;
  readonly limits: Required<Pick<ExtractorOptions, "noProgressMs" | "inAllMs" | "memory">>;
  readonly signal: AbortSignal;
}

/** Waits for the end of a file. Throws when it was silent or at work for too long, took too much memory, or is no longer wanted. */
async function supervise(process: ReaderProcess, job: ReadingJob, { clock, limits, signal }: Supervision): Promise<Ending> {
  const began = clock.monotonic();
  const over = new AbortController();
  const looked = AbortSignal.any([signal, over.signal]);
  const watch = async (): Promise<never> => {
    for (;;) {
      await clock.sleep(LOOK_MS, looked);
      const now = clock.monotonic();
      if (now - job.heardAt > limits.noProgressMs || now - began > limits.inAllMs) throw gaveUp("Reading it took too long.");
      if (((await process.memory()) ?? 0) > limits.memory) throw gaveUp("It needs too much memory.");
    }
  };
  try {
    return await Promise.race([job.ending, watch()]);
  } finally {
    over.abort();
  }
}

function documentOf(ending: Ending): ExtractedDocument {
  switch (ending.type) {
    case "done":
      return ending.document;
    case "failed":
      throw new AppError(ending.code, ending.detail);
    case "died":
      throw gaveUp("It needs too much memory or is damaged.");
    case "never-started":
      throw new AppError("INTERNAL", "The process that reads documents did not start.");
    case "too-much-text":
      throw gaveUp("It holds too much text.");
  }
}

const gaveUp = (why: string): AppError => new AppError("READER_GAVE_UP", `${why} Split it or export it anew.`);
