import { AppError } from "../../core/errors.ts";
import { isUuid, type PersonId, type TenantId, tenantId } from "../../core/ids.ts";
import { Secret } from "../../core/secret.ts";
import type { Logins } from "../../plugins/logins.ts";
import { hashOf, isNonce, newNonce } from "../browser-secret.ts";

/** One person's way through a server's page. */
export interface LoginPage {
  /** @throws AppError */
  begin(state: string): Promise<{ readonly page: string; readonly kept: Secret }>;
  /** @throws AppError */
  finish(kept: Secret, back: { readonly code: string; readonly iss?: string | undefined }): Promise<void>;
}

/** For whoever is about to log in: at which server, and for which account in Slack. */
export interface LoginNames {
  readonly server: string;
  readonly person: string;
  readonly workspace: string;
  /** The person's, as Slack says. */
  readonly locale?: string | undefined;
}

export interface LoginFlowParts {
  loginsOf(tenant: TenantId): Logins;
  /** Undefined: there is no such server, or nobody logs in there. */
  pageOf(tenant: TenantId, server: string, person: PersonId): Promise<LoginPage | undefined>;
  /** The address under which people reach this program. */
  publicUrl(): string;
  /** What people call the server, the person and their workspace. */
  namesOf(tenant: TenantId, server: string, person: PersonId): Promise<LoginNames>;
  /** Somebody has logged in. */
  loggedIn(tenant: TenantId, server: string, person: PersonId): void;
}

/** How long a link may be opened, and how long somebody may take at the server's page, in milliseconds. */
const LIFETIME_MS = 600_000;

export const startPath = "/mcp/login/start/";
export const returnPath = "/mcp/login/return";
export const clientPath = "/mcp/login/client.json";

/** Where browsers come back to, and where this program describes itself, which counts only under https. */
export const loginRedirect = (publicUrl: string) => ({
  redirectUrl: `${publicUrl}${returnPath}`,
  ...(publicUrl.startsWith("https:") && { clientMetadataUrl: `${publicUrl}${clientPath}` }),
});

/**
 * Logging in, from a private link to the tokens. The link is worth something once, and so is the way back, which belongs to the browser that
 * opened the link: both are random values of which only hashes are kept.
 */
export class LoginFlow {
  readonly #parts: LoginFlowParts;

  constructor(parts: LoginFlowParts) {
    this.#parts = parts;
  }

  /** A link for one person. @throws AppError NOT_FOUND when nobody logs in at that server */
  async link(tenant: TenantId, server: string, person: PersonId): Promise<string> {
    if (!(await this.#parts.pageOf(tenant, server, person))) throw new AppError("NOT_FOUND", "Nobody logs in at that server.");
    const nonce = newNonce();
    const attempt = { hash: hashOf(nonce), server, person, stage: "link" as const, kept: new Secret("{}") };
    await this.#parts.loginsOf(tenant).begin(attempt, LIFETIME_MS);
    return `${this.#parts.publicUrl()}${startPath}${tenant}.${nonce}`;
  }

  /** Makes a link worth nothing. Whoever has gone on from it already can finish. */
  async withdraw(link: string): Promise<void> {
    const { tenant, nonce } = readToken(link.slice(link.lastIndexOf("/") + 1));
    await this.#parts.loginsOf(tenant).redeem(hashOf(nonce));
  }

  /**
   * The link was opened, by its person or by a program that looks at links: it stays worth something.
   * @returns what the browser keeps until it comes back, and the names to show @throws AppError LOGIN_INVALID, ...
   */
  async look(token: string): Promise<{ readonly names: LoginNames; readonly browser: string }> {
    const { tenant, nonce } = readToken(token);
    const found = await this.#parts.loginsOf(tenant).look(hashOf(nonce));
    if (found?.stage !== "link") throw new AppError("LOGIN_INVALID");
    return { names: await this.#parts.namesOf(tenant, found.server, found.person), browser: newNonce() };
  }

  /** The person wants to go on. @param browser from `look` @returns the server's page, and whose language is read @throws AppError LOGIN_INVALID, ... */
  async start(token: string, browser: string): Promise<{ readonly page: string; readonly names: LoginNames }> {
    const { tenant, nonce } = readToken(token);
    const logins = this.#parts.loginsOf(tenant);
    const opened = await logins.redeem(hashOf(nonce));
    if (opened?.stage !== "link") throw new AppError("LOGIN_INVALID");
    const login = await this.#page(tenant, opened.server, opened.person);
    const state = newNonce();
    const { page, kept } = await login.begin(`${tenant}.${state}`);
    const { server, person } = opened;
    await logins.begin({ hash: hashOf(state, browser), server, person, stage: "page", kept }, LIFETIME_MS);
    return { page, names: await this.#parts.namesOf(tenant, server, person) };
  }

  /** The browser is back. @throws AppError LOGIN_INVALID, ... */
  async finish({
    state,
    browser,
    code,
    iss,
  }: {
    readonly state: string;
    readonly browser: string;
    readonly code: string;
    readonly iss?: string | undefined;
  }): Promise<LoginNames> {
    const { tenant, nonce } = readToken(state);
    const back = await this.#parts.loginsOf(tenant).redeem(hashOf(nonce, browser));
    if (back?.stage !== "page") throw new AppError("LOGIN_INVALID");
    const login = await this.#page(tenant, back.server, back.person);
    await login.finish(back.kept, { code, ...(iss !== undefined && { iss }) });
    this.#parts.loggedIn(tenant, back.server, back.person);
    return this.#parts.namesOf(tenant, back.server, back.person);
  }

  async #page(tenant: TenantId, server: string, person: PersonId): Promise<LoginPage> {
    const page = await this.#parts.pageOf(tenant, server, person);
    if (!page) throw new AppError("LOGIN_INVALID");
    return page;
  }
}

/** `<tenant>.<random>`: the tenant says in whose table to look, and proves nothing. */
function readToken(token: string): { readonly tenant: TenantId; readonly nonce: string } {
  const [tenant = "", nonce = "", ...rest] = token.split(".");
  if (!isUuid(tenant) || !isNonce(nonce) || rest.length > 0) throw new AppError("LOGIN_INVALID");
  return { tenant: tenantId(tenant), nonce };
}
