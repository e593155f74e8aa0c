import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { Secret } from "../../../core/secret.ts";
import type { LoginRules } from "../server.ts";

/** All that is kept of a log-in: the client that was registered, what was discovered, the tokens, and on the way the verifier of PKCE. */
export interface KeptLogin {
  /** With which entry of the operator's list it was made, as `entryOf` says. */
  readonly entry?: string;
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  readonly tokens?: StoredOAuthTokens;
  readonly verifier?: string;
  /** Scopes that a server has asked for since. */
  readonly wantedScope?: string;
}

export const sealedForm = (kept: KeptLogin): Secret => new Secret(JSON.stringify(kept));

/** The part of the operator's entry that a log-in is worth something for, as one text: another address, issuer or client is another log-in. */
export const entryOf = (url: string, { issuer, client }: LoginRules): string => JSON.stringify([url, issuer ?? "", client?.id ?? ""]);

/** What was kept for exactly this entry; of a log-in that was made with another one nothing is used. */
export function keptFor(entry: string, secret: Secret | undefined): KeptLogin {
  const kept = secret && (JSON.parse(secret.reveal()) as KeptLogin);
  return kept?.entry === entry ? kept : { entry };
}

/** Whether there is something to try a request with. */
export const isLoggedIn = (entry: string, secret: Secret | undefined): boolean => keptFor(entry, secret).tokens !== undefined;

/** There is no log-in, or none that is worth anything any more: its person has to go to the server's page. */
export class LoginNeeded extends Error {
  override readonly name = "LoginNeeded";
}
