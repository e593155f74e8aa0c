import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Clock } from "../../core/clock.ts";
import { compiledEntry } from "../../core/compiled-entry.ts";
import { AppError, messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { makeDataFolder } from "../data-folder.ts";
import { engineProgram } from "./engine.ts";
import { lockFile } from "./lock.ts";
import { ensureDatabase } from "./template.ts";
import type { WorkerInput } from "./worker.ts";

/** The embedded database, answering on a socket. */
export interface Embedded {
  readonly socketDirectory: string;
  close(): Promise<void>;
}

/** The name under which the pg driver looks for port 5432 in a directory. */
const SOCKET_NAME = ".s.PGSQL.5432";
/** How often in a row the thread is started again after it died, and the pause before. */
const RESTARTS = 3;
const RESTART_PAUSE_MS = 500;
/** How long the engine may take to close its files. */
const STOP_PATIENCE_MS = 10_000;

/**
 * Starts the embedded database of a data folder in a thread of its own, or throws HOME_LOCKED. The socket lies in a private
 * directory under the system's temporary one, because a socket's path may have 107 bytes at most.
 */
export async function startEmbedded(home: string, clock: Clock, log: Logger): Promise<Embedded> {
  await makeDataFolder(home);
  const lock = await lockFile(join(home, "database.lock"));
  const socketDirectory = await mkdtemp(join(tmpdir(), "footnote-"));
  try {
    await chmod(socketDirectory, 0o700);
    const [directory, program] = await Promise.all([ensureDatabase(home), engineProgram()]);
    const input: WorkerInput = { directory, socket: join(socketDirectory, SOCKET_NAME), program };
    const thread = await superviseThread(input, clock, log);
    const close = async () => {
      await thread.close();
      await rm(socketDirectory, { recursive: true, force: true });
      await lock.release();
    };
    return { socketDirectory, close };
  } catch (thrown) {
    await rm(socketDirectory, { recursive: true, force: true });
    await lock.release();
    throw thrown;
  }
}

/** Keeps one thread running: when it dies (out of memory, a crash of the engine), what was committed is safe and it starts anew. */
async function superviseThread(input: WorkerInput, clock: Clock, log: Logger): Promise<{ close(): Promise<void> }> {
  let closing = false;
  let restarts = 0;
  let running: Promise<Worker | undefined>;

  const launch = async (): Promise<Worker> => {
    await rm(input.socket, { force: true });
    const worker = await startThread(input);
    worker.once("exit", () => {
      if (!closing) running = relaunch();
    });
    return worker;
  };
  const relaunch = async (): Promise<Worker | undefined> => {
    while (!closing && restarts++ < RESTARTS) {
      log.error("The embedded database stopped unexpectedly and is started again.", { attempt: restarts });
      await clock.sleep(RESTART_PAUSE_MS);
      const worker = await launch().catch(() => undefined);
      if (worker) return worker;
    }
    if (!closing) log.error("The embedded database keeps failing. Restart the program.", { count: restarts });
    return undefined;
  };

  const first = launch();
  running = first;
  await first;
  return {
    close: async () => {
      closing = true;
      const worker = await running;
      if (worker) await stopThread(worker, clock);
    },
  };
}

/** Resolves when the database answers. */
function startThread(input: WorkerInput): Promise<Worker> {
  const worker = new Worker(compiledEntry("./worker.ts", import.meta.url), { workerData: input, env: {}, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker));
    worker.once("error", (error) =>
      reject(new AppError("DATABASE_UNREACHABLE", `The embedded database does not start: ${messageOf(error)}`)),
    );
    worker.once("exit", () => reject(new AppError("DATABASE_UNREACHABLE", "The embedded database does not start.")));
  });
}

/** Lets the engine write a checkpoint and end; one that does not is ended by force, which costs no committed row. */
async function stopThread(worker: Worker, clock: Clock): Promise<void> {
  const patience = new AbortController();
  const ended = new Promise<void>((resolve) => void worker.once("exit", () => resolve()));
  worker.postMessage("close");
  const waited = clock.sleep(STOP_PATIENCE_MS, patience.signal).then(
    () => worker.terminate(),
    () => undefined,
  );
  await Promise.race([ended, waited]);
  patience.abort();
}
