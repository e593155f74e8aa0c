/** Installations that were begun and not finished. Only hashes are kept. */
export interface InstallStates {
  /** Forgets what has expired, and the oldest when more than `most` are open: whoever begins thousands closes the door for nobody. */
  begin(state: Buffer, browser: Buffer, limits: { readonly now: Date; readonly expiresAt: Date; readonly most: number }): Promise<void>;
  /** True exactly once, for a state that was begun by this browser and has not expired. */
  redeem(state: Buffer, browser: Buffer, now: Date): Promise<boolean>;
}
