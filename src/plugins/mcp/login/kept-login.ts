import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { Secret } from "../../../core/secret.ts";

/** All that is kept of a log-in: the client that was registered, what was discovered, the tokens, and on the way the verifier of PKCE. */
export interface KeptLogin {
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  readonly tokens?: StoredOAuthTokens;
  readonly verifier?: string;
  /** Scopes that a server has asked for since. */
  readonly wantedScope?: string;
}

export const sealedForm = (kept: KeptLogin): Secret => new Secret(JSON.stringify(kept));
export const readKept = (secret: Secret): KeptLogin => JSON.parse(secret.reveal()) as KeptLogin;

/** Whether there is something to try a request with. */
export const isLoggedIn = (secret: Secret | undefined): boolean => secret !== undefined && readKept(secret).tokens !== undefined;

/** There is no log-in, or none that is worth anything any more: its person has to go to the server's page. */
export class LoginNeeded extends Error {
  override readonly name = "LoginNeeded";
}
