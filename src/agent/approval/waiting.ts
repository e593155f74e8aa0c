import type { Clock } from "../../core/clock.ts";

/** How often a call that waits for a person says so, in milliseconds: a turn without news would be given up. */
const NEWS_MS = 60_000;

export interface WaitingParts {
  readonly clock: Clock;
  progress(label: string): void;
  /** Time that passed while people were asked does not count against the answer. */
  waited(ms: number): void;
}

/** Asks a person for something: says again and again that they are waited for, from the moment at which they are asked. */
export async function whileWaiting<T>(
  label: string,
  { clock, progress, waited }: WaitingParts,
  ask: (asked: () => void) => Promise<T>,
): Promise<T> {
  const began = clock.monotonic();
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
    waited(clock.monotonic() - began);
  }
}
