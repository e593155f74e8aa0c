import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ApiError } from "./api-error.ts";
import { cancelChoice, consentPage } from "./consent-page.ts";
import { appId, type Json, type State, type Workspace } from "./state.ts";
import type { Args } from "./web-api/call.ts";

/** Tokens that expire live as long as Slack's. */
const lifetimeSeconds = 43_200;

/** What a token or a code stands for. */
interface Granted {
  /** The workspace, or those of an organisation that were approved. */
  readonly workspaces: readonly Workspace[];
  readonly organisation?: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
}

interface Code extends Granted {
  readonly person: string;
  readonly redirectUri: string;
}

interface Token extends Granted {
  /** Wall-clock milliseconds. */
  readonly expiresAt: number;
}

/** Slack's OAuth: a page on which somebody agrees, codes, tokens that expire and what renews them. */
export class OAuth {
  readonly clientId = `1000000000.${String(randomBytes(6).readUIntBE(0, 6)).padStart(12, "0").slice(0, 12)}`;
  readonly clientSecret = randomBytes(16).toString("hex");
  /** Whether the app has token rotation switched on. */
  rotation = false;
  /** What the next answers say instead of the app's own id. */
  claimedAppId: string = appId;
  readonly #state: State;
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Map<string, Token>();
  readonly #refreshTokens = new Map<string, Granted>();
  /** Tokens of organisations that do not expire. */
  readonly #organisations = new Map<string, Granted>();

  constructor(state: State) {
    this.#state = state;
  }

  /** The page at /oauth/v2/authorize, or where it leads once somebody has chosen. */
  authorize(url: URL, response: ServerResponse): void {
    const query = url.searchParams;
    const redirectUri = query.get("redirect_uri") ?? "";
    // Nobody but the program on this machine is sent anywhere.
    const ours = URL.canParse(redirectUri) && ["127.0.0.1", "localhost"].includes(new URL(redirectUri).hostname);
    if (query.get("client_id") !== this.clientId || !ours) return void response.writeHead(400).end("invalid_client_id or bad_redirect_uri");
    const choice = query.get("choice");
    if (!choice)
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(consentPage(url, this.#state.workspaces));
    const back = new URL(redirectUri);
    if (choice === cancelChoice) back.searchParams.set("error", "access_denied");
    else back.searchParams.set("code", this.#code(choice, query, redirectUri));
    back.searchParams.set("state", query.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  /** @param choice name of a workspace, or id of an organisation; then `workspaces` may name those that are approved */
  #code(choice: string, query: URLSearchParams, redirectUri: string): string {
    const named = query.get("workspaces")?.split(",");
    const workspaces = this.#state.workspaces.filter(({ name, enterprise }) =>
      enterprise?.id === choice ? !named || named.includes(name) : name === choice,
    );
    const organisation = this.#state.workspaces.find(({ enterprise }) => enterprise?.id === choice)?.enterprise;
    const handle = query.get("person");
    const people = [...((workspaces[0] ?? this.#state.workspaces[0])?.people.values() ?? [])];
    const person = people.find(({ name, role }) => (handle ? name === handle : role === "admin"))?.id ?? "U0NOBODY";
    const asked = (query.get("scope") ?? "").split(",");
    const scopes = asked.filter((scope) => workspaces.every((workspace) => workspace.scopes?.includes(scope) ?? true));
    const code = randomBytes(12).toString("hex");
    this.#codes.set(code, { workspaces, scopes, person, redirectUri, ...(organisation && { organisation }) });
    return code;
  }

  /** oauth.v2.access. A code and a refresh token are worth something once. */
  access(args: Args): Json {
    if (args.string("client_id") !== this.clientId) throw new ApiError("invalid_client_id");
    if (args.string("client_secret") !== this.clientSecret) throw new ApiError("bad_client_secret");
    if (args.string("grant_type") === "refresh_token") return this.#refresh(args.string("refresh_token") ?? "");
    const given = args.string("code") ?? "";
    const code = this.#codes.get(given);
    this.#codes.delete(given);
    if (!code) throw new ApiError("invalid_code");
    if (args.string("redirect_uri") !== code.redirectUri) throw new ApiError("bad_redirect_uri");
    for (const workspace of code.workspaces) {
      workspace.installed = true;
      workspace.throughOrganisation = code.organisation !== undefined;
    }
    return { ...this.#described(code), ...this.#pair(code), authed_user: { id: code.person } };
  }

  /** The workspace that a token acts in; of an organisation's, the one that the call means. Undefined when nobody has this token. */
  workspaceOf(token: string | undefined, args: Args): Workspace | undefined {
    if (token === undefined) return undefined;
    const plain = this.#state.workspaces.find(({ botToken }) => botToken === token);
    if (plain) return plain;
    const granted = this.#granted(token);
    if (!granted?.organisation) return granted?.workspaces[0];
    const [team, channel] = [args.string("team_id"), args.string("channel")];
    const own = this.#state.workspaces.filter(({ enterprise }) => enterprise?.id === granted.organisation?.id);
    const approved = own.filter(({ throughOrganisation }) => throughOrganisation);
    const meant = team ? approved.find(({ teamId }) => teamId === team) : approved.find(({ channels }) => channels.has(channel ?? ""));
    // Before any workspace is approved the token can at least say whose it is.
    return meant ?? approved[0] ?? own[0];
  }

  /** The organisation of a token that is an organisation's, with the workspaces that were approved. */
  organisationOf(token: string): Required<Pick<Granted, "organisation" | "workspaces">> | undefined {
    const granted = this.#granted(token);
    if (!granted?.organisation) return undefined;
    const { id } = granted.organisation;
    const workspaces = this.#state.workspaces.filter(({ enterprise, throughOrganisation }) => enterprise?.id === id && throughOrganisation);
    return { organisation: granted.organisation, workspaces };
  }

  hasExpired(token: string): boolean {
    return (this.#tokens.get(token)?.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#state.clock.now().getTime();
  }

  #granted(token: string): Granted | undefined {
    return this.#tokens.get(token) ?? this.#organisations.get(token);
  }

  #refresh(refreshToken: string): Json {
    const granted = this.#refreshTokens.get(refreshToken);
    this.#refreshTokens.delete(refreshToken);
    if (!granted || granted.workspaces.some(({ installed }) => !installed)) throw new ApiError("invalid_refresh_token");
    return { ...this.#described(granted), ...this.#pair(granted) };
  }

  #described({ workspaces: [workspace], organisation, scopes }: Granted): Json {
    return {
      token_type: "bot",
      scope: scopes.join(","),
      bot_user_id: workspace?.bot.id ?? "U0ORGBOT",
      app_id: this.claimedAppId,
      team: organisation ? null : { id: workspace?.teamId, name: workspace?.title },
      enterprise: organisation ?? workspace?.enterprise ?? null,
      is_enterprise_install: organisation !== undefined,
    };
  }

  #pair(granted: Granted): Json {
    const { workspaces, organisation, scopes } = granted;
    const kept = { workspaces, scopes, ...(organisation && { organisation }) };
    if (!this.rotation) {
      if (!organisation) return { access_token: workspaces[0]?.botToken };
      const token = `xoxb-playground-${organisation.id}`;
      this.#organisations.set(token, kept);
      return { access_token: token };
    }
    const [token, refreshToken] = [`xoxe.xoxb-${randomBytes(12).toString("hex")}`, `xoxe-${randomBytes(12).toString("hex")}`];
    this.#tokens.set(token, { ...kept, expiresAt: this.#state.clock.now().getTime() + lifetimeSeconds * 1000 });
    this.#refreshTokens.set(refreshToken, kept);
    return { access_token: token, refresh_token: refreshToken, expires_in: lifetimeSeconds };
  }
}
