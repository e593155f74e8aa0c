import type { TenantId } from "../../../core/ids.ts";

/** Work that is done one piece after another, with the workspaces in turn: however much one of them has waiting, another waits for one piece. */
export class FairQueue {
  /** What waits, by workspace; the workspace whose turn it is comes first. */
  readonly #waiting = new Map<TenantId, (() => Promise<unknown>)[]>();
  #working: Promise<void> | undefined;

  /**
   * Does the work when it is its turn. @returns what it returns
   * @throws the signal's reason, at once, when it is no longer wanted before its turn comes
   */
  run<Result>(tenant: TenantId, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        this.#forget(tenant, piece);
        reject(signal.reason);
      };
      const piece = async () => {
        signal.removeEventListener("abort", leave);
        await work().then(resolve, reject);
      };
      signal.addEventListener("abort", leave, { once: true });
      const pieces = this.#waiting.get(tenant);
      if (pieces) pieces.push(piece);
      else this.#waiting.set(tenant, [piece]);
      this.#working ??= this.#work();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (!next) {
        this.#working = undefined;
        return;
      }
      const [tenant, pieces] = next;
      await pieces.shift()?.();
      // Behind all who have come meanwhile, with what it still has.
      this.#waiting.delete(tenant);
      if (pieces.length > 0) this.#waiting.set(tenant, pieces);
    }
  }

  #forget(tenant: TenantId, piece: () => Promise<unknown>): void {
    const pieces = this.#waiting.get(tenant);
    const at = pieces?.indexOf(piece) ?? -1;
    if (at >= 0) pieces?.splice(at, 1);
  }
}
