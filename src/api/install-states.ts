import { createHash, randomBytes } from "node:crypto";

/** Installations that were begun and not finished. Only hashes are kept. */
export interface InstallStates {
  /** Forgets what has expired, and the oldest when more than `most` are open: whoever begins thousands closes the door for nobody. */
  begin(state: Buffer, browser: Buffer, limits: { readonly now: Date; readonly expiresAt: Date; readonly most: number }): Promise<void>;
  /** True exactly once, for a state that was begun by this browser and has not expired. */
  redeem(state: Buffer, browser: Buffer, now: Date): Promise<boolean>;
}

/** 256 random bits, safe in addresses and cookies. */
export const newNonce = (): string => randomBytes(32).toString("base64url");

/** Whether a string from outside has the form of a nonce. */
export const isNonce = (raw: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(raw);

/** What is kept of a nonce. */
export const hashOf = (nonce: string): Buffer => createHash("sha256").update(nonce).digest();
