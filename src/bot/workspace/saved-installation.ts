import type { Secret } from "../../core/secret.ts";

/** A bot token, and what renews it where the app has token rotation. */
export interface TokenPair {
  readonly token: Secret;
  /** Absent: the token does not expire. */
  readonly rotation?: { readonly refreshToken: Secret; readonly expiresAt: Date } | undefined;
}

/** One workspace's or organisation's installation, with its tokens readable. */
export interface SavedInstallation extends TokenPair {
  readonly botUserId: string;
  readonly botId: string;
  /** Slack's id of the app (A...), "" when not known. */
  readonly appId: string;
  readonly scopes: readonly string[];
  readonly installedAt: Date;
  /** Slack's id of the person who installed it; absent when an operator gave the token. */
  readonly installedBy?: string;
}

/** Where one tenant's installation is kept. */
export interface StoredInstallation {
  find(): Promise<SavedInstallation | undefined>;
  save(installation: SavedInstallation): Promise<void>;
  /**
   * Reserves the refresh token for one process, in one statement, so that no two ever use it.
   * @param holder a UUID of this attempt
   * @param dueBefore nothing is to be done for a token that expires later
   * @returns the refresh token; undefined when it is not due, somebody else has it, or there is none
   */
  claimRenewal(holder: string, dueBefore: Date, leaseMs: number): Promise<Secret | undefined>;
  /** Keeps the new pair; false when the reservation was lost, for instance to a new installation, whose tokens then stay. */
  renewed(holder: string, pair: TokenPair): Promise<boolean>;
  /** Gives the reservation back unused; false when it was lost. */
  releaseRenewal(holder: string): Promise<boolean>;
  /** True once for each installation: whoever gets it greets the person who installed. */
  claimWelcome(): Promise<boolean>;
}
