import { type Clock, notNeeded } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called when the work is done. */
  clear(): void;
}

/** One signal for the caller's and the time limit. */
export function deadline(totalMs: number, clock: Clock, parent: AbortSignal | null | undefined): Deadline {
  const own = new AbortController();
  const timer = new AbortController();
  const abort = () => own.abort(parent?.reason);
  if (parent?.aborted) abort();
  else parent?.addEventListener("abort", abort, { once: true });
  if (Number.isFinite(totalMs))
    clock.sleep(totalMs, timer.signal).then(
      () => own.abort(new AppError("FETCH_LIMIT", "It took too long.")),
      () => undefined,
    );
  const clear = () => {
    parent?.removeEventListener("abort", abort);
    timer.abort(notNeeded);
  };
  return { signal: own.signal, clear };
}

/** A resolver cannot be stopped, only left behind. */
export async function aborting<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Errors of the network as one of ours: their own texts name addresses inside. */
export function reasonOf(thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (thrown instanceof AppError) return thrown;
  const code = (thrown as { code?: unknown } | undefined)?.code;
  if (code === "UND_ERR_HEADERS_OVERFLOW") return new AppError("FETCH_LIMIT", "Its header is too large.");
  return new AppError("FETCH_FAILED", "Its server did not answer properly.", { cause: thrown });
}
