import { systemClock } from "../../src/core/clock.ts";

/** Resolves when something has come true that nobody announces. The limit only ends a test that hangs. */
export async function until(holds: () => boolean, timeoutMs = 150_000): Promise<void> {
  const start = systemClock.monotonic();
  while (!holds()) {
    if (systemClock.monotonic() - start > timeoutMs) throw new Error(`Not within ${timeoutMs} ms: ${holds}`);
    await systemClock.sleep(5);
  }
}
