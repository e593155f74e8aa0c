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
/** How often a process looks whether another one has renewed the token that it waits for, and how long in all. */
const lookAgainMs = 250;
const patienceMs = 15_000;

/**
 * Gives out tokens that can be used now, renewing those that will expire. One process renews, under a reservation in the database, since a
 * refresh token can be used once; all others go on with the old token, or wait when it has expired.
 */
export class TokenRenewal {
  readonly #parts: TokenRenewalParts;
  readonly #running = new Map<TenantId, Promise<Outcome>>();

  constructor(parts: TokenRenewalParts) {
    this.#parts = parts;
  }

  /** A tenant's own installation. Undefined when it has none, or none that can be used any more. @throws AppError SLACK_UNREACHABLE */
  async current(tenant: TenantId): Promise<SavedInstallation | undefined> {
    const { installationOf, renew, clock } = this.#parts;
    const end = clock.monotonic() + patienceMs;
    for (;;) {
      const found = await installationOf(tenant).find();
      const leftMs = found?.rotation ? found.rotation.expiresAt.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY;
      if (!renew || leftMs >= aheadMs) return found;
      const renewal = this.#renewal(tenant, renew);
      if (leftMs >= unusableMs) {
        // It is still good: nobody has to wait.
        renewal.catch(() => undefined);
        return found;
      }
      const outcome = await renewal;
      if (outcome === "ended") return undefined;
      if (outcome === "elsewhere") {
        if (clock.monotonic() >= end) throw new AppError("SLACK_UNREACHABLE");
        await clock.sleep(lookAgainMs);
      }
    }
  }

  /** All who ask in this process share one attempt. */
  #renewal(tenant: TenantId, renew: Renew): Promise<Outcome> {
    const running = this.#running.get(tenant);
    if (running) return running;
    const begun = this.#renew(tenant, renew).finally(() => this.#running.delete(tenant));
    this.#running.set(tenant, begun);
    return begun;
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
      if (codeOf(thrown) !== "TOKEN_NOT_RENEWED") {
        log.warn("A workspace's token could not be renewed now; it is tried again.", { tenant, code: codeOf(thrown) });
        throw thrown;
      }
      // Installed again in the meantime: then the refused token is not the one that counts.
      if (!mine) return "elsewhere";
      await suspend(tenant, messageOf(thrown));
      log.error("Slack renews a workspace's token no longer: it is suspended until the app is installed there again.", {
        tenant,
        code: codeOf(thrown),
      });
      return "ended";
    }
    if (await stored.renewed(holder, pair)) log.info("A workspace's token was renewed.", { tenant });
    changed(tenant);
    return "renewed";
  }
}
