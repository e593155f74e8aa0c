import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { AppError } from "../../../core/errors.ts";
import { describedClient } from "../../logins.ts";
import type { LoginRules } from "../server.ts";
import type { KeptLogin } from "./kept-login.ts";

/** What the authorization server's page is opened with. */
export interface Redirect {
  readonly redirectUrl: string;
  readonly state: string;
  /** Where this program describes itself, for authorization servers that take an address as a client's id. */
  readonly clientMetadataUrl?: string;
}

/**
 * The protocol's client at one authorization server for one person: holds what is kept, and refuses any authorization server but the one
 * that the operator has named, before anything is sent to it.
 */
export class LoginClient implements OAuthClientProvider {
  readonly #rules: LoginRules;
  readonly #redirect: Redirect;
  #kept: KeptLogin;
  /** The page that the person has to open. */
  page: URL | undefined;

  constructor(rules: LoginRules, redirect: Redirect, kept: KeptLogin) {
    this.#rules = rules;
    this.#redirect = redirect;
    this.#kept = kept;
  }

  get kept(): KeptLogin {
    return this.#kept;
  }

  get redirectUrl(): string {
    return this.#redirect.redirectUrl;
  }

  get clientMetadataUrl(): string {
    return this.#redirect.clientMetadataUrl ?? "";
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.#rules;
    return { ...describedClient(this.#redirect.redirectUrl), ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
  }

  state(): string {
    return this.#redirect.state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client } = this.#rules;
    if (!client) return this.#kept.client;
    const { id, secret } = client;
    return {
      client_id: id,
      ...(secret && { client_secret: secret.reveal() }),
      ...(this.#kept.client?.issuer && { issuer: this.#kept.client.issuer }),
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    // The operator's client stays in the operator's list: people's rows never hold its secret.
    const own = this.#rules.client;
    const { client_id, issuer } = client;
    this.#kept = { ...this.#kept, client: own ? { client_id, ...(issuer !== undefined && { issuer }) } : client };
  }

  tokens(_context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    return this.#kept.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#kept = { ...this.#kept, tokens };
  }

  saveCodeVerifier(verifier: string): void {
    this.#kept = { ...this.#kept, verifier };
  }

  codeVerifier(): string {
    if (!this.#kept.verifier) throw new AppError("LOGIN_INVALID");
    return this.#kept.verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#kept.discovery;
  }

  /** Comes before a client is registered and before any secret is sent. @throws AppError MCP_ISSUER_CHANGED */
  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
    if (this.#rules.issuer !== undefined && !sameAddress(issuer, this.#rules.issuer)) throw new AppError("MCP_ISSUER_CHANGED");
    this.#kept = { ...this.#kept, discovery };
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { client, tokens, verifier, discovery, ...rest } = this.#kept;
    const gone = (part: typeof scope) => scope === "all" || scope === part;
    this.#kept = {
      ...rest,
      ...(client && !gone("client") && { client }),
      ...(tokens && !gone("tokens") && { tokens }),
      ...(verifier && !gone("verifier") && { verifier }),
      ...(discovery && !gone("discovery") && { discovery }),
    };
  }

  /** A browser gets this address, and nothing here ever opens it. @throws AppError LOGIN_INVALID for anything but a web page */
  redirectToAuthorization(page: URL): void {
    if (!/^https?:$/.test(page.protocol) || page.username !== "" || page.password !== "") throw new AppError("LOGIN_INVALID");
    this.page = page;
  }
}

/** A slash at the end makes no other issuer. */
const sameAddress = (one: string, other: string): boolean => one.replace(/\/$/, "") === other.replace(/\/$/, "");
