import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, on Linux: there a commit does not wait for a disk, and a database's thousand files are copied and removed at once. */
const memory = "/dev/shm";
/** Room for what several test files at once keep there, in bytes; containers have 64 MB of it by default. */
const enough = 2 * 2 ** 30;

/** A new, empty data folder for a database; in memory where there is room. The caller removes it. */
export async function makeTestDataFolder(prefix: string): Promise<string> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(free > enough ? memory : tmpdir(), prefix));
}
