import type { TenantId } from "../core/ids.ts";
import { AT_ONCE } from "./limits.ts";

/** Keeps one tenant's requests from taking what the others need: a few run, the rest wait in their order. */
export class Slots {
  readonly #taken = new Map<TenantId, { running: number; readonly waiting: (() => void)[] }>();

  /** Waits for a place. Gives what must be called when it is no longer needed; calling it again does nothing. */
  async take(tenant: TenantId | undefined, signal: AbortSignal | null | undefined): Promise<() => void> {
    if (tenant === undefined) return () => undefined;
    const line = this.#taken.get(tenant) ?? { running: 0, waiting: [] };
    this.#taken.set(tenant, line);
    if (line.running < AT_ONCE) line.running++;
    else await turn(line.waiting, signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = line.waiting.shift();
      if (next) return next();
      line.running--;
      if (line.running === 0) this.#taken.delete(tenant);
    };
  }
}

function turn(waiting: (() => void)[], signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    waiting.push(go);
    signal?.addEventListener("abort", leave, { once: true });
  });
}
