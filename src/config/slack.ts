import { readFileSync } from "node:fs";
import { z } from "zod";
import { messageOf } from "../core/errors.ts";
import { Secret } from "../core/secret.ts";
import { defined } from "./defined.ts";
import type { Variables } from "./variables.ts";

export interface SlackConfig {
  readonly appToken?: Secret;
  readonly signingSecret?: Secret;
  /** Ends in /api/. Absent means Slack itself. */
  readonly apiUrl?: string;
  readonly workspaces: readonly WorkspaceConfig[];
  /** Present when workspaces can install the app from a web page. */
  readonly oauth?: OAuthConfig;
}

/** What Slack gives an app that is installed from a web page. */
export interface OAuthConfig {
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Slack's id of the app (A...). */
  readonly appId: string;
  /** Slack's ids of the workspaces and organisations that may install it; all that Slack lets when absent. */
  readonly allowed?: readonly string[];
}

/** A workspace whose bot token the operator gives. Its name is what the command line calls it; Slack's name if absent. */
export interface WorkspaceConfig {
  readonly name?: string;
  readonly botToken: Secret;
}

const workspaceFile = z.array(
  z.strictObject({ name: z.string().optional(), botToken: z.string().optional(), botTokenFile: z.string().optional() }),
);

/** A Slack app is configured as soon as one of its variables is set; then all that its mode needs must be there. */
export function slackConfig(values: Variables, mistakes: string[]): SlackConfig | undefined {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL, FOOTNOTE_WORKSPACES_FILE, FOOTNOTE_SLACK_MODE } = values;
  const oauth = oauthConfig(values, mistakes);
  const workspaces = FOOTNOTE_WORKSPACES_FILE ? readWorkspaces(FOOTNOTE_WORKSPACES_FILE, mistakes) : [];
  if (SLACK_BOT_TOKEN) workspaces.push({ botToken: new Secret(SLACK_BOT_TOKEN) });
  if (workspaces.length === 0 && !SLACK_APP_TOKEN && !SLACK_SIGNING_SECRET && !FOOTNOTE_WORKSPACES_FILE && !oauth) return undefined;

  const mode = FOOTNOTE_SLACK_MODE ?? (SLACK_SIGNING_SECRET && !SLACK_APP_TOKEN ? "http" : "socket");
  if (mode === "socket" && !SLACK_APP_TOKEN)
    mistakes.push(
      "SLACK_APP_TOKEN is missing: Socket Mode needs the app-level token (or set SLACK_SIGNING_SECRET and FOOTNOTE_SLACK_MODE=http).",
    );
  if (mode === "http" && !SLACK_SIGNING_SECRET) mistakes.push("SLACK_SIGNING_SECRET is missing: events over HTTP are checked with it.");
  return defined({
    appToken: SLACK_APP_TOKEN ? new Secret(SLACK_APP_TOKEN) : undefined,
    signingSecret: SLACK_SIGNING_SECRET ? new Secret(SLACK_SIGNING_SECRET) : undefined,
    apiUrl: SLACK_API_URL?.replace(/\/?$/, "/"),
    workspaces,
    oauth,
  });
}

/** An app-level token names its app: xapp-1-A0123-... */
const appIdIn = (appToken: string | undefined): string | undefined => /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken ?? "")?.[1];

function oauthConfig(values: Variables, mistakes: string[]): OAuthConfig | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_APP_ID, SLACK_APP_TOKEN, FOOTNOTE_PUBLIC_URL } = values;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) {
    const [missing, given] = clientId ? ["SLACK_CLIENT_SECRET", "SLACK_CLIENT_ID"] : ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET"];
    mistakes.push(`${missing} is missing: ${given} alone lets nobody install the app (Basic Information page of the Slack app).`);
    return undefined;
  }
  const appId = SLACK_APP_ID ?? appIdIn(SLACK_APP_TOKEN);
  if (!appId) mistakes.push("SLACK_APP_ID is missing: installations are checked with it (Basic Information page of the Slack app).");
  const other = SLACK_APP_ID && appIdIn(SLACK_APP_TOKEN);
  if (other && other !== SLACK_APP_ID) mistakes.push("SLACK_APP_ID and SLACK_APP_TOKEN belong to two different apps.");
  if (!FOOTNOTE_PUBLIC_URL) mistakes.push("FOOTNOTE_PUBLIC_URL is missing: Slack sends browsers back to it after an installation.");
  return defined({ clientId, clientSecret: new Secret(clientSecret), appId: appId ?? "", allowed: values.FOOTNOTE_INSTALL_ALLOWED });
}

function readWorkspaces(path: string, mistakes: string[]): WorkspaceConfig[] {
  try {
    const entries = workspaceFile.parse(JSON.parse(readFileSync(path, "utf8")));
    return entries.map(({ name, botToken, botTokenFile }) => {
      const token = botTokenFile ? readFileSync(botTokenFile, "utf8").trim() : botToken;
      if (!token || !/^xox[a-z]-\S+$/.test(token)) throw new Error(`workspace ${name ?? "without a name"} has no bot token`);
      return defined({ name, botToken: new Secret(token) });
    });
  } catch (thrown) {
    const reason = thrown instanceof z.ZodError || thrown instanceof SyntaxError ? "its content has another form" : messageOf(thrown);
    mistakes.push(`FOOTNOTE_WORKSPACES_FILE cannot be used: ${reason}. It must be JSON: [{"name": "acme", "botTokenFile": "path"}].`);
    return [];
  }
}
