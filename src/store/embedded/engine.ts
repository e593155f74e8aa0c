import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { DurableFiles } from "./durable-files.ts";

/** As PGlite starts Postgres, but with fsync on (it passes -F) and by the call that DurableFiles implements. */
const startParams = [...PGlite.defaultStartParams.filter((param) => param !== "-F"), "-c", "wal_sync_method=fsync"];

/** Opens (or first creates) the database in `directory`, in this thread: queries block it. */
export const openEngine = (directory: string): Promise<PGlite> =>
  PGlite.create({
    fs: new DurableFiles(directory),
    extensions: { vector },
    startParams,
    // Small write-ahead segments: an empty database takes 28 MB on disk instead of 43.
    initDbStartParams: ["--wal-segsize=1"],
  });
