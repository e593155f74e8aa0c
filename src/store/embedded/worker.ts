import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "./engine.ts";
import { SocketServer } from "./socket-server.ts";

/** What the thread is started with: the database's directory and the path of the socket to answer on. */
export interface WorkerInput {
  readonly directory: string;
  readonly socket: string;
  /** The engine's program, if it is compiled already. */
  readonly program?: WebAssembly.Module | undefined;
}

const { directory, socket, program } = workerData as WorkerInput;
const engine = await openEngine(directory, program);
// When the engine itself fails (not a statement), the thread ends, so that it is started anew.
const server = new SocketServer(engine, () => {
  process.exitCode = 1;
  setImmediate(() => process.exit(1));
});
await server.listen(socket);

parentPort?.once("message", async () => {
  await server.close();
  await engine.close();
  process.exit(0);
});
parentPort?.postMessage("ready");
