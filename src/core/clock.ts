/**
 * The reason to give when a sleep is ended because nobody waits for it any more. An abort without a reason makes an exception with a
 * stack each time, which costs more than the sleep.
 */
export const notNeeded = new Error("It is not waited for any more.");

/** The only source of time, so that tests can own it. */
export interface Clock {
  /** Wall-clock time: for what people and other programs see. */
  now(): Date;
  /** Milliseconds from an arbitrary start that never jump: for durations and time limits. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};
