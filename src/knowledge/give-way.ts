import { getPriority, setPriority } from "node:os";

/** Of -20 (first) to 19 (last): what answers wait for runs at 0. */
const BEHIND_ANSWERS = 10;

/**
 * From now on the calling thread, and what it starts, gets the processor when nobody else wants it: documents are read and embedded behind people's
 * questions. Only Linux counts for each thread by itself; elsewhere the whole program would step back, so that nothing is done.
 */
export function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    // 0 is the caller; on Linux that is the thread and not the process (setpriority(2)).
    setPriority(0, Math.max(getPriority(0), BEHIND_ANSWERS));
  } catch {
    // Where it is not allowed, work goes on as before.
  }
}
