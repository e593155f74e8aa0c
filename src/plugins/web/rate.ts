import { LRUCache } from "lru-cache";
import type { TenantId } from "../../core/ids.ts";
import { OutsideFailure } from "../outside-failure.ts";

/** Requests of one workspace within any minute; what is kept from before costs nothing. */
const PER_MINUTE = 30;
const MINUTE_MS = 60_000;
/** Workspaces whose requests are remembered. */
const MOST_TENANTS = 10_000;

/** Keeps one workspace from using up a key that all share, or from being a nuisance to the sites it reads. */
export class Rate {
  readonly #times = new LRUCache<TenantId, number[]>({ max: MOST_TENANTS });

  /** @throws OutsideFailure RATE_LIMITED */
  admit(tenant: TenantId, now: number): void {
    const recent = (this.#times.get(tenant) ?? []).filter((time) => now - time < MINUTE_MS);
    const [oldest = now] = recent;
    if (recent.length >= PER_MINUTE) {
      const seconds = Math.ceil((MINUTE_MS - (now - oldest)) / 1_000);
      throw new OutsideFailure(
        "RATE_LIMITED",
        `This workspace has used the web ${PER_MINUTE} times within a minute. Try again in ${seconds} s.`,
        true,
      );
    }
    this.#times.set(tenant, [...recent, now]);
  }
}
