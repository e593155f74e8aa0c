import type { Clock } from "../core/clock.ts";

/** How bounded work ended. What it does after "timeout" or "aborted" is dropped. */
export type Bounded<T> = { readonly ended: "done"; readonly value: T } | { readonly ended: "timeout" | "aborted" };

/** What the work finds as its signal's reason. Made once: an abort without a reason makes an exception with a stack each time. */
const reasons = {
  timeout: new DOMException("The time limit was reached.", "TimeoutError"),
  aborted: new DOMException("The answer was stopped.", "AbortError"),
};
const over = new Error("The work is done.");

/**
 * Runs work under a time limit and a parent signal. The work gets a signal of its own; when it ignores that, it is left behind:
 * the answer goes on at the limit all the same. A rejection of the work in time is passed on.
 */
export async function within<T>(
  ms: number,
  clock: Clock,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Bounded<T>> {
  if (parent.aborted) return { ended: "aborted" };
  const own = new AbortController();
  const timer = new AbortController();
  let onAbort = () => {};
  const aborted = new Promise<Bounded<T>>((resolve) => {
    onAbort = () => resolve({ ended: "aborted" });
    parent.addEventListener("abort", onAbort, { once: true });
  });
  const timeout = clock.sleep(ms, timer.signal).then(
    (): Bounded<T> => ({ ended: "timeout" }),
    (): Bounded<T> => ({ ended: "aborted" }),
  );
  try {
    const result = await Promise.race([work(own.signal).then((value): Bounded<T> => ({ ended: "done", value })), timeout, aborted]);
    if (result.ended !== "done") own.abort(reasons[result.ended]);
    return result;
  } finally {
    parent.removeEventListener("abort", onAbort);
    timer.abort(over);
  }
}
