import { AppError } from "./errors.ts";

/** What `footnote doctor` found out about one thing. Holds no secret and nobody's text. */
export interface Check {
  /** What was looked at, in one or two words. */
  readonly name: string;
  /** "warning": it runs, but something will not work as one may expect. "failed": it does not run, or not safely. */
  readonly status: "ok" | "warning" | "failed";
  /** One sentence. */
  readonly summary: string;
  /** What to do about it; absent when there is nothing to mend. */
  readonly mend?: string;
}

export const ok = (name: string, summary: string): Check => ({ name, status: "ok", summary });
export const warning = (name: string, summary: string, mend: string): Check => ({ name, status: "warning", summary, mend });
export const failed = (name: string, summary: string, mend: string): Check => ({ name, status: "failed", summary, mend });

/** Runs checks that may throw. What is no error of ours is told by its kind alone: its text may hold anything. */
export async function checked(name: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (thrown) {
    return [failedBy(name, thrown)];
  }
}

/** An error as a check: its sentence, and its detail, which says how to mend it. */
export function failedBy(name: string, thrown: unknown): Check {
  if (thrown instanceof AppError)
    return failed(name, thrown.sentence, thrown.detail ?? "Look at the program's log, and at docs/operating.md.");
  const { code } = (thrown ?? {}) as { code?: unknown };
  const kind = typeof code === "string" ? code : thrown instanceof Error ? thrown.name : "unknown";
  return failed(name, `It could not be checked (${kind}).`, "Look at the program's log, and at docs/operating.md.");
}
