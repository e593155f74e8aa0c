import type { TenantId } from "../core/ids.ts";

/**
 * The one way to a host that a person, a model, a document or a server named. Takes the place of `fetch`, and gives a standard Response
 * whose body is a stream that keeps within the limits.
 *
 * Refused are: other schemes than http and https, other ports than 80 and 443, user names in the address, and hosts with any address
 * that is not on the public internet. A name is resolved once for each hop and the connection goes to exactly that address. Each
 * redirect is checked anew; to another origin no header goes along but those that say which content is wanted.
 * @throws AppError FETCH_REFUSED (by a rule), FETCH_LIMIT (too large or too slow), FETCH_FAILED (no answer); the signal's reason when it
 * aborts. Reading the body may throw the same.
 */
export type SafeFetch = (url: string | URL, request?: SafeRequest) => Promise<Response>;

/** As far as it has the same fields it is the standard RequestInit. */
export interface SafeRequest {
  /** GET unless given. */
  readonly method?: string;
  /** Host, cookies and hop-by-hop fields are left out. */
  readonly headers?: RequestInit["headers"];
  /** A string, bytes or form fields; streams are refused, since a redirect could not repeat them. */
  readonly body?: RequestInit["body"];
  readonly signal?: AbortSignal | null;
  /** "follow" unless given. "manual" gives the redirect itself, "error" refuses it: right wherever a key is sent. */
  readonly redirect?: "follow" | "manual" | "error";
  /**
   * The address was set by an operator or an admin, not by a person, a model or a document: then the rules on addresses and ports do
   * not hold for the origins that the operator has listed. All other rules do.
   */
  readonly configured?: boolean;
  /** Whose request it is. Of one tenant, four run at once and the others wait until a body has ended. Absent: not counted. */
  readonly tenant?: TenantId;
  /** Media types that are taken, e.g. ["text/html", "application/pdf"]; others are refused, also when the content is another one. */
  readonly types?: readonly string[];
  readonly limits?: Partial<FetchLimits>;
}

/** What one request may take, redirects included. */
export interface FetchLimits {
  /** Milliseconds until a connection is made, for each hop. */
  readonly connectMs: number;
  /** Milliseconds in all, the body's reading included; Infinity for a stream that stays open. */
  readonly totalMs: number;
  /** Bytes as they come over the network. */
  readonly receivedBytes: number;
  /** Bytes after decompression. */
  readonly bytes: number;
  readonly redirects: number;
}

/**
 * For a program of its own (git) that goes to an address which an operator has configured: the addresses of its host, looked up once and checked
 * by the rules of SafeFetch, to which the program must be held, without redirects.
 * @throws AppError FETCH_REFUSED, FETCH_FAILED
 */
export type Pin = (url: string | URL) => Promise<{ readonly addresses: readonly string[]; readonly port: number }>;
