import type { Clock } from "../../core/clock.ts";
import { codeOf } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { WakingLoop } from "../../core/waking-loop.ts";

/** What is kept of workspaces that have left, and for how long. */
export interface DepartedTenants {
  /**
   * From now on the tenant's questions are not answered: its tokens are destroyed, what waits or runs for it is cancelled. Nothing
   * happens when it was installed after `before` ("newer"), or is suspended already.
   * @param because for operators
   */
  suspend(tenant: TenantId, because: string, before?: Date): Promise<"suspended" | "already" | "newer">;
  /** Those that left longer ago than this. */
  due(graceDays: number): Promise<readonly TenantId[]>;
  /** Deletes everything a suspended tenant has. False when it is not suspended any more. */
  purge(tenant: TenantId): Promise<boolean>;
  /** Forgets replies that waited for a question in vain. */
  forgetEarly(tenant: TenantId): Promise<void>;
}

export interface DeparturesParts {
  readonly stored: DepartedTenants;
  readonly tenants: () => Promise<readonly TenantId[]>;
  /** The workspaces that have no installation but that of this organisation; none for a workspace. */
  readonly servedBy: (tenant: TenantId) => Promise<readonly TenantId[]>;
  /** How long the data of a workspace that has left is kept. */
  readonly graceDays: number;
  /** What this process remembers of the tenant, tokens first of all, is to be forgotten. */
  readonly forget: (tenant: TenantId) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often it is looked whether somebody's data is due to be deleted. */
const sweepMs = 60 * 60_000;

/** Workspaces whose installation ends: suspended at once, deleted after a while, unless they come back. */
export class Departures {
  readonly #parts: DeparturesParts;
  readonly #loop: WakingLoop;

  constructor(parts: DeparturesParts) {
    this.#parts = parts;
    this.#loop = new WakingLoop({ clock: parts.clock, restMs: sweepMs, round: () => this.#sweep() });
  }

  /**
   * Slack says that the app was removed, or that its bot token is worth nothing any more, or cannot be renewed: several of these, in any
   * order, and perhaps late.
   * What an organisation has removed is gone from the workspaces that it served.
   * @param at when that happened; an installation that is newer has nothing to do with it
   */
  async left(tenant: TenantId, because: string, at: Date): Promise<void> {
    const { stored, servedBy, forget, log } = this.#parts;
    const served = await servedBy(tenant);
    const outcome = await stored.suspend(tenant, because, at);
    if (outcome === "newer") return;
    // Also for an organisation that is suspended already: a process may have ended before it came to the workspaces.
    for (const each of served) await stored.suspend(each, because, at);
    for (const each of [tenant, ...served]) forget(each);
    if (outcome === "already") return;
    const message = "A workspace's installation has ended: it is suspended, and its data will be deleted unless it is installed again.";
    log.warn(message, { tenant, count: served.length + 1 });
  }

  /** Suspends a workspace and deletes its data, at once. */
  async remove(tenant: TenantId): Promise<void> {
    const { stored, servedBy, forget } = this.#parts;
    for (const each of [tenant, ...(await servedBy(tenant))]) {
      await stored.suspend(each, "An operator has removed it.");
      forget(each);
      await stored.purge(each);
    }
  }

  /** From now on looks for data that is due to be deleted. */
  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Deletes what is due. */
  async sweepNow(): Promise<void> {
    const { stored, graceDays, tenants, log } = this.#parts;
    for (const tenant of await stored.due(graceDays)) {
      if (await stored.purge(tenant)) log.warn("The data of a workspace that has left was deleted.", { tenant });
    }
    for (const tenant of await tenants()) await stored.forgetEarly(tenant);
  }

  async #sweep(): Promise<void> {
    await this.sweepNow().catch((thrown: unknown) =>
      this.#parts.log.error("The data of workspaces that have left could not be deleted; trying again in an hour.", {
        code: codeOf(thrown),
      }),
    );
  }
}
