/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<"aborted"> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
