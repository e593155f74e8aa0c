import { type AuthProvider, auth, computeScopeUnion, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { type Clock, notNeeded } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { newId, type PersonId } from "../../../core/ids.ts";
import type { Secret } from "../../../core/secret.ts";
import type { Logins } from "../../logins.ts";
import type { LoginRules } from "../server.ts";
import type { ServerFetch } from "../server-fetch.ts";
import { entryOf, type KeptLogin, keptFor, LoginNeeded, sealedForm } from "./kept-login.ts";
import { LoginClient, type Redirect } from "./login-client.ts";

/** How long one process may take to change a log-in, in milliseconds, and how often another one looks whether it is done. */
const LEASE_MS = 30_000;
/** How long an authorization server may take to renew a token: less than the lease, so that what it gives can still be kept. */
const RENEWAL_MS = 20_000;
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
  readonly #entry: string;
  #used: string | undefined;

  constructor(parts: PersonLoginParts) {
    this.#parts = parts;
    this.#entry = entryOf(parts.url, parts.rules);
  }

  async token(): Promise<string | undefined> {
    this.#used = (await this.#kept()).tokens?.access_token;
    return this.#used;
  }

  /** Renews, in one process at a time: whoever comes second uses what the first has got. @throws LoginNeeded */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const refused = this.#used;
    await this.#alone(refused, (kept, holder) => this.#renew(kept, holder, response));
  }

  /** The server wants more than the person has agreed to: the next log-in asks for both. @throws LoginNeeded */
  async lacks(scope: string | undefined): Promise<void> {
    await this.#alone(this.#used, (kept, holder) => this.#ended(kept, holder, computeScopeUnion(kept.tokens?.scope, scope)));
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
    const made = new LoginClient(rules, { ...redirect, state }, { entry: this.#entry, ...(client && { client }) });
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
    const begun = keptFor(this.#entry, kept);
    // Another list holds by now than when the log-in was begun.
    if (!begun.verifier) throw new AppError("LOGIN_INVALID");
    const made = new LoginClient(rules, { ...redirect, state: "" }, begun);
    await auth(made, { serverUrl: url, fetchFn: quietly(out), authorizationCode: code, ...(iss !== undefined && { iss }) });
    const { verifier: _used, wantedScope: _had, ...login } = made.kept;
    await logins.save(server, person, sealedForm(login));
  }

  async #renew(kept: KeptLogin, holder: string, response: Response): Promise<void> {
    const { url, rules, redirect } = this.#parts;
    if (!kept.tokens?.refresh_token) return this.#ended(kept, holder, extractWWWAuthenticateParams(response).scope);
    const made = new LoginClient(rules, { ...redirect, state: newId() }, kept);
    const outcome = await this.#inTime((out) => auth(made, { serverUrl: url, fetchFn: quietly(out) }));
    // Only a refusal ends a log-in: an authorization server that is down says nothing about it.
    if (outcome !== "AUTHORIZED" && made.kept.tokens) throw new AppError("MCP_UNREACHABLE", "The log-in could not be renewed.");
    if (outcome !== "AUTHORIZED") return this.#ended(kept, holder, undefined);
    const { verifier: _none, ...login } = made.kept;
    await this.#keep(login, kept, holder);
  }

  async #ended({ tokens, ...kept }: KeptLogin, holder: string, scope: string | undefined): Promise<void> {
    const wantedScope = computeScopeUnion(kept.wantedScope, scope);
    const login = { ...kept, ...(wantedScope !== undefined && { wantedScope }) };
    await this.#keep(login, { ...kept, ...(tokens && { tokens }) }, holder);
  }

  /** Keeps what became of a log-in, unless its person has logged in anew meanwhile, or out. @throws LoginNeeded when nothing can be used now */
  async #keep(login: KeptLogin, before: KeptLogin, holder: string): Promise<void> {
    const { logins, server, person } = this.#parts;
    if (await logins.saveHeld(server, person, sealedForm(login), holder)) {
      if (!login.tokens) throw new LoginNeeded();
      return;
    }
    const { tokens } = await this.#kept();
    if (!tokens || tokens.access_token === before.tokens?.access_token) throw new LoginNeeded();
  }

  /**
   * Works on what is kept, one process at a time; not at all when somebody else has brought other tokens than the refused one meanwhile.
   * @throws LoginNeeded
   */
  async #alone(refused: string | undefined, work: (kept: KeptLogin, holder: string) => Promise<void>): Promise<void> {
    const { logins, server, person, clock } = this.#parts;
    const holder = newId();
    const until = clock.monotonic() + LEASE_MS;
    while (!(await logins.claimRenewal(server, person, holder, LEASE_MS))) {
      const { tokens } = await this.#kept();
      if (tokens && tokens.access_token !== refused) return;
      if (!tokens || clock.monotonic() > until) throw new LoginNeeded();
      await clock.sleep(LOOK_MS);
    }
    try {
      const kept = await this.#kept();
      if (kept.tokens && kept.tokens.access_token !== refused) return;
      await work(kept, holder);
    } finally {
      await logins.releaseRenewal(server, person, holder);
    }
  }

  /** Gives a way out that ends in time. */
  async #inTime<T>(work: (out: ServerFetch) => Promise<T>): Promise<T> {
    const { out, clock } = this.#parts;
    const [late, done] = [new AbortController(), new AbortController()];
    clock.sleep(RENEWAL_MS, done.signal).then(
      () => late.abort(new AppError("MCP_UNREACHABLE", "The log-in could not be renewed in time.")),
      () => undefined,
    );
    try {
      return await work((url, init) => out(url, { ...init, signal: late.signal }));
    } finally {
      done.abort(notNeeded);
    }
  }

  async #kept(): Promise<KeptLogin> {
    const { logins, server, person } = this.#parts;
    return keptFor(this.#entry, await logins.find(server, person));
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
