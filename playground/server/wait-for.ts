import type { State } from "./state.ts";

/**
 * Resolves with the first truthy result of `find`, tried now and after every change of the state.
 * Rejects with what `find` throws, and when the time has passed.
 * @param describe what to add to the message when nothing happened
 */
export function waitFor<T>(state: State, find: () => T, timeoutMs: number, describe: () => string): Promise<NonNullable<T>> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      unsubscribe();
      settle();
    };
    const attempt = () => {
      try {
        const found = find();
        if (found) finish(() => resolve(found as NonNullable<T>));
      } catch (thrown) {
        finish(() => reject(thrown));
      }
    };
    const timer = setTimeout(
      () => finish(() => reject(new Error(`Nothing happened within ${timeoutMs} ms. ${describe()} Waited for ${find}`))),
      timeoutMs,
    );
    const unsubscribe = state.onChange(attempt);
    attempt();
  });
}
