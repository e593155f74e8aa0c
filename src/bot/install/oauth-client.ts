import { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { Secret } from "../../core/secret.ts";
import type { TokenPair } from "../workspace/saved-installation.ts";
import { slackClient, slackClientOptions } from "../workspace/slack-clients.ts";
import { SlackReader, slackErrorCode } from "../workspace/slack-reader.ts";

/** What Slack gives an app that workspaces install from a web page. */
export interface OAuthSettings {
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Slack's id of the app (A...): answers about another one are refused. */
  readonly appId: string;
  /** Slack's ids of the workspaces and organisations that may install it; all that Slack lets when absent. */
  readonly allowed?: readonly string[];
}

/** A workspace or an organisation, as Slack names it. */
export interface SlackTeam {
  readonly id: string;
  readonly name: string;
}

/** What Slack has granted for a code. */
export interface Grant extends TokenPair {
  readonly appId: string;
  readonly botUserId: string;
  readonly scopes: readonly string[];
  /** Absent when a whole organisation has installed the app. */
  readonly team?: SlackTeam;
  readonly enterprise?: SlackTeam;
  readonly forOrganisation: boolean;
  /** Who installed it. */
  readonly person: string;
}

const slackId = (prefix: string) => z.string().regex(new RegExp(`^[${prefix}][A-Z0-9]{1,30}$`));
const team = (prefix: string) => z.object({ id: slackId(prefix), name: z.string().default("") });
const pair = z.object({
  access_token: z.string().regex(/^\S+$/),
  token_type: z.literal("bot"),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().int().positive().optional(),
});
const grant = pair.extend({
  app_id: slackId("A"),
  bot_user_id: slackId("UW"),
  scope: z.string(),
  team: team("T").nullish(),
  enterprise: team("E").nullish(),
  is_enterprise_install: z.boolean().default(false),
  authed_user: z.object({ id: slackId("UW") }),
});
const owner = z.object({ team_id: z.string().optional(), enterprise_id: z.string().nullish(), user_id: z.string(), bot_id: z.string() });

/** Slack's answers that mean: this refresh token is worth nothing any more, and asking again will not change that. */
const endsRenewal = ["invalid_refresh_token", "invalid_grant", "token_expired", "token_revoked", "account_inactive", "app_not_installed"];

/** Slack's side of OAuth: codes and refresh tokens into tokens. */
export class OAuthClient {
  readonly #settings: OAuthSettings;
  readonly #client: WebClient;
  readonly #apiUrl: string | undefined;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(
    settings: OAuthSettings,
    { apiUrl, clock, log }: { readonly apiUrl?: string | undefined; readonly clock: Clock; readonly log: Logger },
  ) {
    this.#settings = settings;
    this.#client = new WebClient(undefined, slackClientOptions(log, apiUrl));
    this.#apiUrl = apiUrl;
    this.#clock = clock;
    this.#log = log;
  }

  /** @throws AppError INSTALL_CODE_REFUSED, SLACK_UNREACHABLE */
  async exchange(code: string, redirectUri: string): Promise<Grant> {
    const said = understood(grant, await this.#access({ code, redirect_uri: redirectUri }).catch(refused));
    const { team, enterprise, is_enterprise_install: forOrganisation } = said;
    if (forOrganisation ? !enterprise : !team) throw new AppError("INSTALL_CODE_REFUSED", "Slack did not say for which workspace.");
    return {
      ...this.#pair(said),
      appId: said.app_id,
      botUserId: said.bot_user_id,
      scopes: said.scope.split(",").filter((scope) => scope !== ""),
      ...(team && { team }),
      ...(enterprise && { enterprise }),
      forOrganisation,
      person: said.authed_user.id,
    };
  }

  /** A new pair for a refresh token, which is then used up. @throws AppError TOKEN_NOT_RENEWED when it is worth nothing, SLACK_UNREACHABLE */
  async renew(refreshToken: Secret): Promise<TokenPair> {
    try {
      return this.#pair(pair.parse(await this.#access({ grant_type: "refresh_token", refresh_token: refreshToken.reveal() })));
    } catch (thrown) {
      const code = slackErrorCode(thrown);
      throw code && endsRenewal.includes(code)
        ? new AppError("TOKEN_NOT_RENEWED", `Slack says: ${code}.`)
        : new AppError("SLACK_UNREACHABLE");
    }
  }

  /** Whose token it is. @throws AppError INSTALL_CODE_REFUSED, SLACK_UNREACHABLE */
  async ownerOf(
    token: Secret,
  ): Promise<{ readonly teamId?: string; readonly enterpriseId?: string; readonly botUserId: string; readonly botId: string }> {
    const said = understood(owner, await slackClient(token, this.#log, this.#apiUrl).auth.test().catch(refused));
    return {
      ...(said.team_id && { teamId: said.team_id }),
      ...(said.enterprise_id && { enterpriseId: said.enterprise_id }),
      botUserId: said.user_id,
      botId: said.bot_id,
    };
  }

  /** The workspaces for which an organisation has approved the app. Rejects as the SDK does. */
  async workspacesOf(token: Secret): Promise<readonly SlackTeam[]> {
    const reader = new SlackReader(slackClient(token, this.#log, this.#apiUrl), this.#clock);
    return z.array(team("T")).parse(await reader.list("auth.teams.list"));
  }

  /** Gives a token back that will not be used. Never rejects: what Slack keeps is not used either. */
  async revoke(token: Secret): Promise<void> {
    await slackClient(token, this.#log, this.#apiUrl)
      .auth.revoke()
      .catch((thrown: unknown) => this.#log.warn("A token could not be given back.", { code: slackErrorCode(thrown) ?? "unreachable" }));
  }

  #access(args: Readonly<Record<string, string>>): Promise<unknown> {
    const { clientId, clientSecret } = this.#settings;
    return this.#client.apiCall("oauth.v2.access", { client_id: clientId, client_secret: clientSecret.reveal(), ...args });
  }

  #pair({ access_token, refresh_token, expires_in }: z.infer<typeof pair>): TokenPair {
    const token = new Secret(access_token);
    if (refresh_token === undefined || expires_in === undefined) return { token };
    const expiresAt = new Date(this.#clock.now().getTime() + expires_in * 1_000);
    return { token, rotation: { refreshToken: new Secret(refresh_token), expiresAt } };
  }
}

/** Slack's refusal, as it may be shown and logged: a code, never a sentence that somebody else wrote. */
function refused(thrown: unknown): never {
  const said = slackErrorCode(thrown);
  if (said === undefined) throw new AppError("SLACK_UNREACHABLE");
  throw new AppError("INSTALL_CODE_REFUSED", /^[a-z_]{1,50}$/.test(said) ? `Slack says: ${said}.` : undefined);
}

function understood<Form extends z.ZodType>(form: Form, answer: unknown): z.infer<Form> {
  const { data, error } = form.safeParse(answer);
  if (error)
    throw new AppError(
      "INSTALL_CODE_REFUSED",
      `Slack's answer has another form: ${error.issues.map(({ path }) => path.join(".")).join(", ")}.`,
    );
  return data;
}
