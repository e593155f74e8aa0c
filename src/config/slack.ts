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
  const workspaces = FOOTNOTE_WORKSPACES_FILE ? readWorkspaces(FOOTNOTE_WORKSPACES_FILE, mistakes) : [];
  if (SLACK_BOT_TOKEN) workspaces.push({ botToken: new Secret(SLACK_BOT_TOKEN) });
  if (workspaces.length === 0 && !SLACK_APP_TOKEN && !SLACK_SIGNING_SECRET && !FOOTNOTE_WORKSPACES_FILE) return undefined;

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
  });
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
