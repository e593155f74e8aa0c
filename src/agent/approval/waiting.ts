import type { Clock } from "../../core/clock.ts";

/** How often a call that waits for a person says so, in milliseconds: a turn without news would be given up. */
const NEWS_MS = 60_000;

export interface WaitingParts {
  readonly clock: Clock;
  progress(label: string): void;
  /** Time that passes while people are asked does not count against the answer. @returns ends it */
  wait(): () => void;
}

/** Asks a person for something: says again and again that they are waited for, from the moment at which they are asked. */
export async function whileWaiting<T>(
  label: string,
  { clock, progress, wait }: WaitingParts,
  ask: (asked: () => void) => Promise<T>,
): Promise<T> {
  const waited = wait();
  const over = new AbortController();
  const remind = async () => {
    while (!over.signal.aborted) {
      progress(label);
      await clock.sleep(NEWS_MS, over.signal).catch(() => undefined);
    }
  };
  try {
    return await ask(() => void remind());
  } finally {
    over.abort();
    waited();
  }
}
