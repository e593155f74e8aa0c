import { type Clock, notNeeded } from "../../core/clock.ts";

/** How long a call is waited for. */
export interface Patience {
  /** Milliseconds without news. */
  readonly silenceMs: number;
  /** Milliseconds in all, whatever news there is. */
  readonly totalMs: number;
}

/** What a call's signal aborts with when it took too long. */
export class TookTooLong extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super("The server took too long.");
    this.name = "TimeoutError";
    this.afterMs = afterMs;
  }
}

/**
 * Runs a call under two limits: without news, and in all. The work gets a signal that aborts at either, and a function to call when
 * there is news. Rejects with TookTooLong or with the parent's reason at once, also when the work takes no notice.
 */
export async function withPatience<T>(
  { silenceMs, totalMs }: Patience,
  clock: Clock,
  parent: AbortSignal,
  work: (signal: AbortSignal, news: () => void) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const over = new AbortController();
  const began = clock.monotonic();
  let heard = began;
  const watch = async (): Promise<never> => {
    for (;;) {
      const now = clock.monotonic();
      const left = Math.min(heard + silenceMs, began + totalMs) - now;
      if (left <= 0) throw new TookTooLong(now - began);
      await clock.sleep(left, over.signal);
    }
  };
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(parent.reason);
    if (parent.aborted) stop();
    else parent.addEventListener("abort", stop, { once: true, signal: over.signal });
  });
  const news = () => {
    heard = clock.monotonic();
  };
  try {
    return await Promise.race([work(own.signal, news), watch(), aborted]);
  } catch (thrown) {
    own.abort(thrown);
    throw thrown;
  } finally {
    over.abort(notNeeded);
  }
}

/** Work of ours in the middle of a call, such as asking a person: the server is silent for a good reason. The call's whole time goes on. */
export async function stillThere<T>(silenceMs: number, clock: Clock, news: () => void, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const remind = async () => {
    while (!over.signal.aborted) {
      news();
      await clock.sleep(silenceMs / 4, over.signal).catch(() => undefined);
    }
  };
  void remind();
  try {
    return await work();
  } finally {
    over.abort(notNeeded);
    news();
  }
}
