import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** How a file comes into a workspace's documents: what `footnote ingest` does. */
export type IngestSeed = (request: {
  readonly workspace: string;
  readonly paths: readonly string[];
  readonly channel?: string;
  readonly person?: string;
}) => Promise<unknown>;

/**
 * Reads both companies' handbooks in, each document with its grant from grants.json ("everyone", "channel:NAME" or "person:NAME").
 * What is there already stays as it is.
 * @param folder playground/seed
 */
export async function ingestSeedDocuments(folder: string, ingest: IngestSeed): Promise<void> {
  const grants = JSON.parse(await readFile(join(folder, "grants.json"), "utf8")) as Record<string, Record<string, string>>;
  // One workspace's documents are read and stored while the other's are embedded.
  const each = Object.entries(grants).map(async ([workspace, files]) => {
    for (const grant of new Set(Object.values(files))) {
      const paths = Object.keys(files).filter((file) => files[file] === grant);
      const [kind, name] = grant.split(":");
      await ingest({
        workspace,
        paths: paths.map((file) => join(folder, "documents", workspace, file)),
        ...(kind === "channel" && name && { channel: name }),
        ...(kind === "person" && name && { person: name }),
      });
    }
  });
  await Promise.all(each);
}
