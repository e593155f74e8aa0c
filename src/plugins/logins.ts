import type { PersonId } from "../core/ids.ts";
import type { Secret } from "../core/secret.ts";

/** What one tenant keeps of its people's log-ins at external servers. Every secret is sealed; all times are the database's. */
export interface Logins {
  find(server: string, person: PersonId): Promise<Secret | undefined>;
  /** Whoever is renewing what was there before holds nothing any more. */
  save(server: string, person: PersonId, kept: Secret): Promise<void>;
  /** Only while `holder` still holds the renewal: false when the person has logged in anew meanwhile, or out, or time is over. */
  saveHeld(server: string, person: PersonId, kept: Secret, holder: string): Promise<boolean>;
  /** Destroys a log-in and those that were begun. False when there was none. */
  remove(server: string, person: PersonId): Promise<boolean>;
  /** Those of one person at all servers, or everybody's. */
  removeAll(person?: PersonId): Promise<void>;
  /** Names of the servers at which somebody is logged in. */
  serversOf(person: PersonId): Promise<readonly string[]>;
  /** Those who are logged in somewhere. */
  people(): Promise<readonly PersonId[]>;
  /** True for one holder at a time, over all processes, until it is released or `leaseMs` have passed: a refresh token works once. */
  claimRenewal(server: string, person: PersonId, holder: string, leaseMs: number): Promise<boolean>;
  releaseRenewal(server: string, person: PersonId, holder: string): Promise<void>;
  /** Keeps a log-in that was begun under the hash of a value that only its person has. */
  begin(attempt: LoginAttempt, lifetimeMs: number): Promise<void>;
  /** Whose it is, without using it up. Undefined as `redeem`. */
  look(hash: Buffer): Promise<Pick<LoginAttempt, "server" | "person" | "stage"> | undefined>;
  /** Gives it back, once. Undefined: there is none, it was used, or it is too late. */
  redeem(hash: Buffer): Promise<Omit<LoginAttempt, "hash"> | undefined>;
}

/** A log-in on its way: as a link that its person has not opened yet, or at the authorization server's page. */
export interface LoginAttempt {
  readonly hash: Buffer;
  readonly server: string;
  readonly person: PersonId;
  readonly stage: "link" | "page";
  readonly kept: Secret;
}

/** How this program describes itself to authorization servers (RFC 7591). */
export const describedClient = (redirectUrl: string) => ({
  client_name: "Footnote",
  redirect_uris: [redirectUrl],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});
