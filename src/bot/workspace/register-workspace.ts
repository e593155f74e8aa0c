import type { WebClient } from "@slack/web-api";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Secret } from "../../core/secret.ts";
import { slackClient } from "./slack-clients.ts";
import { slackErrorCode } from "./slack-reader.ts";

/** Who a bot token belongs to, as Slack says. */
export interface TokenOwner {
  readonly teamId: string;
  readonly enterpriseId?: string;
  /** The workspace's name in Slack. */
  readonly teamName: string;
  readonly botUserId: string;
  readonly botId: string;
  /** Slack's id of the app (A...), "" when Slack did not say. */
  readonly appId: string;
  /** Granted scopes; empty when Slack did not say. */
  readonly scopes: readonly string[];
}

/**
 * Asks Slack whose token this is.
 * @throws AppError TOKEN_REFUSED when Slack does not accept it, SLACK_UNREACHABLE when it cannot be asked
 */
export async function tokenOwner(token: Secret, log: Logger, apiUrl?: string): Promise<TokenOwner> {
  try {
    const client = slackClient(token, log, apiUrl);
    const said = await client.auth.test();
    if (!said.team_id || !said.user_id) throw new AppError("TOKEN_REFUSED", "It is not a bot token.");
    return {
      teamId: said.team_id,
      ...(said.enterprise_id && { enterpriseId: said.enterprise_id }),
      teamName: said.team ?? said.team_id,
      botUserId: said.user_id,
      botId: said.bot_id ?? "",
      appId: said.app_id ?? (await appOf(client, said.bot_id, log)),
      scopes: said.response_metadata?.scopes ?? [],
    };
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const code = slackErrorCode(thrown);
    throw code
      ? new AppError("TOKEN_REFUSED", `Slack says: ${code}. Copy it from the OAuth & Permissions page of the Slack app.`)
      : new AppError("SLACK_UNREACHABLE");
  }
}

/** The app behind a bot: deliveries of another one are refused. Not knowing it is no reason to leave the workspace out. */
async function appOf(client: WebClient, bot: string | undefined, log: Logger): Promise<string> {
  if (!bot) return "";
  try {
    return (await client.bots.info({ bot })).bot?.app_id ?? "";
  } catch (thrown) {
    log.warn("Slack does not say which app a bot token belongs to; deliveries are not checked for it.", {
      code: slackErrorCode(thrown) ?? "failed",
    });
    return "";
  }
}
