import { fsyncSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type InitOptions = Parameters<NodeFS["init"]>[1];
interface FileStream {
  readonly nfd: number;
}
/** The part of Emscripten's module that is touched here. */
interface Module {
  readonly FS: { readonly filesystems: { readonly NODEFS: { readonly stream_ops: { fsync?: (stream: FileStream) => number } } } };
}

/**
 * PGlite's files on disk, with a real fsync: the one it comes with does nothing, so that a commit would survive a killed process
 * but not a power cut. Postgres must use wal_sync_method=fsync to reach it (fdatasync is a stub there).
 */
export class DurableFiles extends NodeFS {
  override async init(pg: PGlite, options: InitOptions) {
    const result = await super.init(pg, options);
    const addFsync = (module: unknown) => {
      (module as Module).FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...result.emscriptenOpts, preRun: [...(result.emscriptenOpts.preRun ?? []), addFsync] } };
  }
}
