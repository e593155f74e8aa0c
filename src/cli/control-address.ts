import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Longest path a unix socket can be bound to on every system that we run on (macOS allows 103 bytes). */
const longestSocketPath = 100;

/** The unix socket of the program that runs on a data folder: in the folder itself, or beside the system's temporary files when its path is too long. */
export function controlAddress(home: string): string {
  const inside = join(home, "control.sock");
  if (Buffer.byteLength(inside) <= longestSocketPath) return inside;
  return join(tmpdir(), `footnote-${createHash("sha256").update(home).digest("hex").slice(0, 16)}.sock`);
}
