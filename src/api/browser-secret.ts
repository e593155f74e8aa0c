import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** 256 random bits, safe in addresses and cookies. */
export const newNonce = (): string => randomBytes(32).toString("base64url");

/** Whether a string from outside has the form of a nonce. */
export const isNonce = (raw: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(raw);

/** What is kept of a nonce, or of several that count only together. */
export const hashOf = (...nonces: readonly string[]): Buffer => createHash("sha256").update(nonces.join(".")).digest();

/**
 * The secret of a browser on its way through another site's page: what comes back counts only from the browser that went. Lax, not
 * Strict, because it comes back from elsewhere.
 */
export class BrowserCookie {
  readonly #base: string;
  readonly #publicUrl: () => string;

  /** @param publicUrl the address under which people reach this server */
  constructor(base: string, publicUrl: () => string) {
    this.#base = base;
    this.#publicUrl = publicUrl;
  }

  /** A Set-Cookie header. */
  set(value: string, seconds: number): string {
    return `${this.#name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${this.#secure ? "; Secure" : ""}`;
  }

  /** A Set-Cookie header that takes it away. */
  clear(): string {
    return this.set("", 0);
  }

  /** Undefined when there is none, or more than one of the name. */
  read({ headers }: IncomingMessage): string | undefined {
    const begins = `${this.#name}=`;
    const values = (headers.cookie ?? "").split(/;\s*/).filter((pair) => pair.startsWith(begins));
    return values.length === 1 ? values[0]?.slice(begins.length) : undefined;
  }

  /** Over https the name's prefix makes browsers refuse it from anywhere but this very host. */
  get #name(): string {
    return this.#secure ? `__Host-${this.#base}` : this.#base;
  }

  get #secure(): boolean {
    return this.#publicUrl().startsWith("https:");
  }
}

/** The only value of a parameter; one that is given twice, or longer than `longest` characters, is nobody's. */
export function onlyValue({ url }: IncomingMessage, name: string, longest: number): string | undefined {
  const [value, ...more] = new URL(url ?? "/", "http://localhost").searchParams.getAll(name);
  return value !== undefined && more.length === 0 && value.length <= longest ? value : undefined;
}
