import type { Clock } from "../../core/clock.ts";
import { AppError, codeOf, messageOf } from "../../core/errors.ts";
import { newId, type TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Secret } from "../../core/secret.ts";
import type { SavedInstallation, StoredInstallation, TokenPair } from "../workspace/saved-installation.ts";

/** @throws AppError TOKEN_NOT_RENEWED, SLACK_UNREACHABLE */
type Renew = (refreshToken: Secret) => Promise<TokenPair>;

/** "elsewhere": another process renews it, or has; "ended": it cannot be used any more. */
type Outcome = "renewed" | "elsewhere" | "ended";

export interface TokenRenewalParts {
  readonly installationOf: (tenant: TenantId) => StoredInstallation;
  /** Absent when no OAuth is configured: then tokens are used as they are. */
  readonly renew?: Renew | undefined;
  /** Slack renews its tokens no longer. */
  readonly suspend: (tenant: TenantId, because: string) => Promise<void>;
  /** It has another token now. */
  readonly changed: (tenant: TenantId) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tokens live for twelve hours; answers and other processes go on using an old one for a while after it was renewed. */
const aheadMs = 2 * 60 * 60_000;
/** With less than this left a token is not used any more: a call may take that long to arrive. */
const unusableMs = 60_000;
/** Longer than a call to Slack can take, so that only a process that died leaves a reservation behind. */
const leaseMs = 60_000;
/** How often a process looks whether another one has renewed the token that it waits for, and how long in all: until it may do so itself. */
const lookAgainMs = 250;
const patienceMs = leaseMs + 5_000;
/** How often, and how many times, it is tried to store a token that Slack has just given: for an hour. */
const keepAgainMs = 1_000;
const mostTriesToKeep = 3_600;

/**
 * Gives out tokens that can be used now, renewing those that will expire. One process renews, under a reservation in the database, since a
 * refresh token can be used once; all others go on with the old token, or wait when it has expired.
 */
export class TokenRenewal {
  readonly #parts: TokenRenewalParts;
  readonly #renewing = new Map<TenantId, Promise<Outcome>>();
  readonly #waiting = new Map<TenantId, Promise<SavedInstallation | undefined>>();

  constructor(parts: TokenRenewalParts) {
    this.#parts = parts;
  }

  /** A tenant's own installation. Undefined when it has none, or none that can be used any more. @throws AppError SLACK_UNREACHABLE */
  async current(tenant: TenantId): Promise<SavedInstallation | undefined> {
    const { installationOf, renew, log } = this.#parts;
    const found = await installationOf(tenant).find();
    const leftMs = this.#leftMs(found);
    if (!renew || leftMs >= aheadMs) return found;
    if (leftMs < unusableMs) return this.#shared(this.#waiting, tenant, () => this.#usable(tenant, renew));
    // It is still good: nobody has to wait.
    this.#attempt(tenant, renew).catch((thrown: unknown) =>
      log.warn("A workspace's token is still good, but could not be renewed; it is tried again.", { tenant, code: codeOf(thrown) }),
    );
    return found;
  }

  /** Waits for a token that can be used, whoever renews it. */
  async #usable(tenant: TenantId, renew: Renew): Promise<SavedInstallation | undefined> {
    const { installationOf, clock } = this.#parts;
    const end = clock.monotonic() + patienceMs;
    for (;;) {
      const outcome = await this.#attempt(tenant, renew);
      if (outcome === "ended") return undefined;
      const found = await installationOf(tenant).find();
      if (this.#leftMs(found) >= unusableMs) return found;
      if (clock.monotonic() >= end) throw new AppError("SLACK_UNREACHABLE");
      await clock.sleep(lookAgainMs);
    }
  }

  #attempt(tenant: TenantId, renew: Renew): Promise<Outcome> {
    return this.#shared(this.#renewing, tenant, () => this.#renew(tenant, renew));
  }

  /** All who ask in this process at the same time get the same. */
  #shared<T>(running: Map<TenantId, Promise<T>>, tenant: TenantId, work: () => Promise<T>): Promise<T> {
    const known = running.get(tenant);
    if (known) return known;
    const begun = work().finally(() => running.delete(tenant));
    running.set(tenant, begun);
    return begun;
  }

  #leftMs(found: SavedInstallation | undefined): number {
    return found?.rotation ? found.rotation.expiresAt.getTime() - this.#parts.clock.now().getTime() : Number.POSITIVE_INFINITY;
  }

  async #renew(tenant: TenantId, renew: Renew): Promise<Outcome> {
    const { installationOf, suspend, changed, clock, log } = this.#parts;
    const stored = installationOf(tenant);
    const holder = newId();
    const refreshToken = await stored.claimRenewal(holder, new Date(clock.now().getTime() + aheadMs), leaseMs);
    if (!refreshToken) return "elsewhere";
    let pair: TokenPair;
    try {
      pair = await renew(refreshToken);
    } catch (thrown) {
      const mine = await stored.releaseRenewal(holder);
      if (codeOf(thrown) !== "TOKEN_NOT_RENEWED") throw thrown;
      // Installed again in the meantime: then the refused token is not the one that counts.
      if (!mine) return "elsewhere";
      await suspend(tenant, messageOf(thrown));
      log.error("Slack renews a workspace's token no longer: it is suspended until the app is installed there again.", {
        tenant,
        code: codeOf(thrown),
      });
      return "ended";
    }
    if (await this.#kept(tenant, stored, holder, pair)) log.info("A workspace's token was renewed.", { tenant });
    changed(tenant);
    return "renewed";
  }

  /**
   * Slack has spent the old refresh token: the new pair is all there is, and it is held here alone until the database has it. Nobody else
   * can use the old one in the meantime while the database is away; when only this process is cut off, the reservation gives it time.
   */
  async #kept(tenant: TenantId, stored: StoredInstallation, holder: string, pair: TokenPair): Promise<boolean> {
    const { clock, log } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        return await stored.renewed(holder, pair);
      } catch (thrown) {
        if (tries >= mostTriesToKeep) throw thrown;
        log.error("A workspace's new token could not be stored; trying again.", { tenant, code: codeOf(thrown), count: tries });
        await clock.sleep(keepAgainMs);
      }
    }
  }
}
