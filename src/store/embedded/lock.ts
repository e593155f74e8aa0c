import { spawnSync } from "node:child_process";
import { closeSync, constants, ftruncateSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { AppError } from "../../core/errors.ts";

/** Held until `release` or until the process ends, however it ends. */
export interface Lock {
  release(): Promise<void>;
}

/** open(2) of macOS and the BSDs takes the lock while opening; Node does not name the flag. */
const BSD_O_EXLOCK = 0x20;
/** What flock(1) exits with when somebody else holds the lock. */
const FLOCK_BUSY = 1;

/**
 * Takes an exclusive lock on `path` (created if missing) or throws HOME_LOCKED, naming the holder. It is the kernel's lock on an
 * open file: gone at once when the holder dies, decided by the kernel when two start together, and seen by other containers on the
 * same machine that share the volume. Node has no call for it, so flock(1) takes it on our open file, which it shares; on macOS
 * open(2) does. Where neither exists, an abstract socket stands in, which reaches no further than the container.
 */
export async function lockFile(path: string): Promise<Lock> {
  if (process.platform === "darwin") return fileLock(openExclusively(path));
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const flock = spawnSync("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
  if (flock.status === 0) return fileLock(descriptor);
  if (flock.status === FLOCK_BUSY) {
    closeSync(descriptor);
    throw locked(path);
  }
  const socket = await socketLock(path);
  const file = fileLock(descriptor);
  return { release: async () => Promise.all([file.release(), socket.release()]).then(() => undefined) };
}

function openExclusively(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | BSD_O_EXLOCK, 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") throw locked(path);
    throw thrown;
  }
}

/** Writes down who holds the lock, for the message others get. */
function fileLock(descriptor: number): Lock {
  ftruncateSync(descriptor);
  writeSync(descriptor, JSON.stringify({ pid: process.pid, host: hostname() }), 0);
  return {
    release: async () => {
      ftruncateSync(descriptor);
      closeSync(descriptor);
    },
  };
}

/** Only the holder of an abstract socket's name can listen on it; the name is the file's identity, not its path. */
async function socketLock(path: string): Promise<Lock> {
  const { dev, ino } = statSync(path, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(locked(path)));
    server.listen(`\0footnote-${dev}-${ino}`, resolve);
  });
  server.unref();
  return { release: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function locked(path: string): AppError {
  let holder = "";
  try {
    const { pid, host } = JSON.parse(readFileSync(path, "utf8")) as { pid: number; host: string };
    holder = host === hostname() ? `It is process ${pid}.` : `It is process ${pid} on ${host}.`;
  } catch {
    // The holder has not written its name yet.
  }
  return new AppError("HOME_LOCKED", `${holder} (${path})`.trim());
}
