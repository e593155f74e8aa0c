import type { Logger } from "../core/logger.ts";

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
}

/**
 * A defect that nothing caught ends the process: what it left behind is taken up after the restart. Its message is not logged
 * (it may hold anybody's text), only its kind and the places in the code.
 */
export function onDefect(log: Logger): void {
  const report = (thrown: unknown) => {
    const error = thrown instanceof Error ? thrown : undefined;
    const frames = (error?.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
    log.error("The program ended because of a defect.", { code: error?.name ?? typeof thrown, at: frames.slice(0, 8).join(" ") });
    process.exit(1);
  };
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}
