import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { DurableFiles } from "./durable-files.ts";

/** As PGlite starts Postgres, but with fsync on (it passes -F) and by the call that DurableFiles implements. */
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== "-F"), "-c", "wal_sync_method=fsync"];

/** As far as it is used here; Node's types name the module only. */
const { compile } = (globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> } }).WebAssembly;

let program: Promise<WebAssembly.Module | undefined> | undefined;

/**
 * The engine's program, compiled once in a process: threads that are given it open in half the time and with half the processor's.
 * Undefined where it cannot be had; the engine then compiles its own.
 */
export function engineProgram(): Promise<WebAssembly.Module | undefined> {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  program ??= readFile(join(folder, "pglite.wasm"))
    .then(compile)
    .catch(() => undefined);
  return program;
}

/**
 * Opens (or first creates) the database in `directory`, in this thread: queries block it.
 * @param compiled what `engineProgram` gave
 */
export const openEngine = (directory: string, compiled?: WebAssembly.Module): Promise<PGlite> =>
  PGlite.create({
    ...(compiled && { pgliteWasmModule: compiled }),
    fs: new DurableFiles(directory),
    extensions: { vector },
    startParams,
    // Small write-ahead segments: an empty database takes 28 MB on disk instead of 43.
    initDbStartParams: ["--wal-segsize=1"],
  });
