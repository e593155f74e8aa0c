import { stat } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { AppError } from "../../core/errors.ts";
import { findFiles, readBytes } from "../ingest/files.ts";
import type { DocumentSource } from "./document-source.ts";

/** A folder of this machine. Hidden files are skipped and links that leave it are not followed. */
export function folderSource(root: string): DocumentSource {
  return {
    async *items(signal) {
      // A folder that is away (a mount that is missing) is not an empty one.
      const there = await stat(root).catch(() => undefined);
      if (!there?.isDirectory()) throw new AppError("SOURCE_UNREACHABLE", "There is no such folder, or Footnote may not read it.");
      for (const { path } of await findFiles([root])) {
        signal.throwIfAborted();
        const uri = relative(root, path).split(sep).join("/").normalize("NFC");
        const version = await versionOf(path);
        yield {
          uri,
          name: basename(path),
          ...(version !== undefined && { version }),
          read: async () => ({ status: "read", bytes: await readBytes(path) }),
        };
      }
    },
  };
}

/** Times and size: a file that was written anew in the same millisecond with the same size is not noticed. */
async function versionOf(path: string): Promise<string | undefined> {
  const entry = await stat(path, { bigint: true }).catch(() => undefined);
  return entry?.isFile() ? `${entry.mtimeNs}:${entry.ctimeNs}:${entry.size}` : undefined;
}
