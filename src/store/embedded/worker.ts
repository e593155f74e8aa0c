import { parentPort, workerData } from "node:worker_threads";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { openEngine } from "./engine.ts";

/** What the thread is started with: the database's directory and the path of the socket to answer on. */
export interface WorkerInput {
  readonly directory: string;
  readonly socket: string;
}

/** More than any pool here opens: the limit exists only because the server's own is 1. */
const MAX_CONNECTIONS = 1000;

const { directory, socket } = workerData as WorkerInput;
const engine = await openEngine(directory);
const run = engine.execProtocolRawStream.bind(engine);
engine.execProtocolRawStream = async (...args) => {
  try {
    await run(...args);
  } catch (thrown) {
    // The engine itself failed (not a statement). The socket server would wait for ever: end the thread, so that it is started anew.
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
    throw thrown;
  }
};
const server = new PGLiteSocketServer({ db: engine, path: socket, maxConnections: MAX_CONNECTIONS });
await server.start();

parentPort?.once("message", async () => {
  await server.stop();
  await engine.close();
  process.exit(0);
});
parentPort?.postMessage("ready");
