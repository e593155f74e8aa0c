import { type AuthProvider, auth, computeScopeUnion, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { newId, type PersonId } from "../../../core/ids.ts";
import type { Secret } from "../../../core/secret.ts";
import type { Logins } from "../../logins.ts";
import type { LoginRules } from "../server.ts";
import type { ServerFetch } from "../server-fetch.ts";
import { type KeptLogin, LoginNeeded, readKept, sealedForm } from "./kept-login.ts";
import { LoginClient, type Redirect } from "./login-client.ts";

/** How long one process may take to renew a token, in milliseconds, and how often another one looks whether it is done. */
const RENEWAL_MS = 30_000;
const LOOK_MS = 200;

export interface PersonLoginParts {
  readonly server: string;
  readonly url: string;
  readonly rules: LoginRules;
  readonly person: PersonId;
  readonly logins: Logins;
  readonly out: ServerFetch;
  /** Of this program, without a state. */
  readonly redirect: Omit<Redirect, "state">;
  readonly clock: Clock;
}

/** One person's log-in at one server: gives the token for each request, renews it, and leads through the server's page. */
export class PersonLogin implements AuthProvider {
  readonly #parts: PersonLoginParts;
  #used: string | undefined;

  constructor(parts: PersonLoginParts) {
    this.#parts = parts;
  }

  async token(): Promise<string | undefined> {
    this.#used = (await this.#kept()).tokens?.access_token;
    return this.#used;
  }

  /** Renews, in one process at a time: whoever comes second uses what the first has got. @throws LoginNeeded */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const { logins, server, person, clock } = this.#parts;
    const refused = this.#used;
    const holder = newId();
    const until = clock.monotonic() + RENEWAL_MS;
    while (!(await logins.claimRenewal(server, person, holder, RENEWAL_MS))) {
      const { tokens } = await this.#kept();
      if (tokens && tokens.access_token !== refused) return;
      if (!tokens || clock.monotonic() > until) throw new LoginNeeded();
      await clock.sleep(LOOK_MS);
    }
    try {
      await this.#renew(refused, response);
    } finally {
      await logins.releaseRenewal(server, person, holder);
    }
  }

  /** The server wants more than the person has agreed to: the next log-in asks for both. */
  async lacks(scope: string | undefined): Promise<void> {
    const { logins, server, person } = this.#parts;
    const { tokens, ...kept } = await this.#kept();
    const wantedScope = computeScopeUnion(kept.wantedScope, tokens?.scope, scope);
    await logins.save(server, person, sealedForm({ ...kept, ...(wantedScope !== undefined && { wantedScope }) }));
  }

  /**
   * Finds out where the person has to agree, as the server describes it, and registers this program there.
   * @returns the page to open, and what has to be kept until it comes back
   * @throws AppError MCP_ISSUER_CHANGED, LOGIN_INVALID; what the protocol's client and the way out throw
   */
  async begin(state: string): Promise<{ readonly page: string; readonly kept: Secret }> {
    const { url, rules, out, redirect } = this.#parts;
    const { client, wantedScope } = await this.#kept();
    // Asked without a token, the server says where its description is.
    const asked = await out(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: probe,
    });
    await asked.body?.cancel();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(asked);
    const asking = computeScopeUnion(wantedScope, scope) ?? (rules.scopes.length > 0 ? rules.scopes.join(" ") : undefined);
    const made = new LoginClient(rules, { ...redirect, state }, client ? { client } : {});
    await auth(made, {
      serverUrl: url,
      fetchFn: quietly(out),
      forceReauthorization: true,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(asking !== undefined && { scope: asking }),
    });
    if (!made.page) throw new LoginNeeded();
    return { page: made.page.href, kept: sealedForm(made.kept) };
  }

  /** Back from the page: exchanges the code for tokens, and keeps them. @throws as `begin` */
  async finish(kept: Secret, { code, iss }: { readonly code: string; readonly iss?: string | undefined }): Promise<void> {
    const { url, rules, out, redirect, logins, server, person } = this.#parts;
    const made = new LoginClient(rules, { ...redirect, state: "" }, readKept(kept));
    await auth(made, { serverUrl: url, fetchFn: quietly(out), authorizationCode: code, ...(iss !== undefined && { iss }) });
    const { verifier: _used, wantedScope: _had, ...login } = made.kept;
    await logins.save(server, person, sealedForm(login));
  }

  async #renew(refused: string | undefined, response: Response): Promise<void> {
    const { url, rules, out, redirect, logins, server, person } = this.#parts;
    const kept = await this.#kept();
    if (kept.tokens && kept.tokens.access_token !== refused) return;
    if (!kept.tokens?.refresh_token) return this.#ended(kept, extractWWWAuthenticateParams(response).scope);
    const made = new LoginClient(rules, { ...redirect, state: newId() }, kept);
    const outcome = await auth(made, { serverUrl: url, fetchFn: quietly(out) });
    // Only a refusal ends a log-in: an authorization server that is down says nothing about it.
    if (outcome !== "AUTHORIZED" && made.kept.tokens) throw new AppError("MCP_UNREACHABLE", "The log-in could not be renewed.");
    if (outcome !== "AUTHORIZED") return this.#ended(kept, undefined);
    const { verifier: _none, ...login } = made.kept;
    await logins.save(server, person, sealedForm(login));
  }

  async #ended({ tokens: _worthless, ...kept }: KeptLogin, scope: string | undefined): Promise<never> {
    const { logins, server, person } = this.#parts;
    const wantedScope = computeScopeUnion(kept.wantedScope, scope);
    await logins.save(server, person, sealedForm({ ...kept, ...(wantedScope !== undefined && { wantedScope }) }));
    throw new LoginNeeded();
  }

  async #kept(): Promise<KeptLogin> {
    const { logins, server, person } = this.#parts;
    const found = await logins.find(server, person);
    return found ? readKept(found) : {};
  }
}

/**
 * The same way out, but of a refusal only its code is left: the protocol's client prints what an authorization server says, and that is
 * anybody's text.
 */
function quietly(out: ServerFetch): ServerFetch {
  return async (url, init) => {
    const response = await out(url, init);
    if (init?.method !== "POST" || response.ok) return response;
    const said: unknown = await response.json().catch(() => undefined);
    const code = typeof said === "object" && said !== null && "error" in said ? String(said.error) : "";
    return Response.json({ error: /^[a-z_]{1,40}$/.test(code) ? code : "server_error" }, { status: response.status });
  };
}

const probe = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
