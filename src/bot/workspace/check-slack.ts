import { type Check, failed, ok, warning } from "../../core/check.ts";
import type { Clock } from "../../core/clock.ts";
import type { Secret } from "../../core/secret.ts";
import { missingScopes, optionalScopes, requiredScopes } from "./scopes.ts";

export interface SlackChecks {
  /** Ends in /api/; Slack itself when absent. */
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
}

/** Slack refuses signatures older than five minutes, and so do we: a clock that is off by this much loses every delivery. */
const intolerableSkewMs = 5 * 60_000;
const noticeableSkewMs = 30_000;
const patienceMs = 10_000;

interface Reply {
  readonly ok: boolean;
  readonly error?: string;
  readonly team?: string;
  /** The header with the token's scopes; null when Slack did not say. */
  readonly scopes: string | null;
  /** How far our clock is ahead of Slack's, in milliseconds. */
  readonly skewMs: number | undefined;
}

/** One workspace's bot token: accepted, with every scope of the manifest. @param name what the operator calls the workspace */
export async function checkBotToken(token: Secret, name: string | undefined, slack: SlackChecks): Promise<readonly Check[]> {
  const reply = await call("auth.test", token, slack);
  const title = `Slack ${name ?? reply?.team ?? "workspace"}`;
  if (!reply) return [unreachable(title)];
  if (!reply.ok)
    return [
      failed(
        title,
        `Slack does not accept the bot token (${reply.error}).`,
        "Install the app again and use the new Bot User OAuth Token (OAuth & Permissions page).",
      ),
    ];
  return [scopesCheck(title, reply), ...clockCheck(reply)];
}

/** The app-level token, with which Socket Mode opens its connection. */
export async function checkAppToken(token: Secret, slack: SlackChecks): Promise<Check> {
  const reply = await call("apps.connections.open", token, slack);
  const mend = "Make a new one on the Basic Information page, with the scope connections:write, and switch Socket Mode on.";
  if (!reply) return unreachable("Slack app");
  return reply.ok
    ? ok("Slack app", "Slack accepts the app-level token for Socket Mode.")
    : failed("Slack app", `Slack does not accept the app-level token (${reply.error}).`, mend);
}

/**
 * The client id and secret, with which an installation is completed: by a code that cannot be one, since Slack looks at the secret first.
 * @param installAt where installations begin
 */
export async function checkOAuth(
  { clientId, clientSecret, allowed }: { readonly clientId: string; readonly clientSecret: Secret; readonly allowed?: readonly string[] },
  installAt: string,
  { apiUrl = "https://slack.com/api/" }: SlackChecks,
): Promise<Check> {
  const name = "Slack installing";
  const code = await fetch(`${apiUrl}oauth.v2.access`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret.reveal(), code: "doctor" }),
    redirect: "error",
    signal: AbortSignal.timeout(patienceMs),
  })
    .then((response) => response.json())
    .then((said) => (said as { error?: unknown }).error)
    .catch(() => undefined);
  if (typeof code !== "string") return unreachable(name);
  if (["invalid_client_id", "bad_client_secret"].includes(code)) {
    const mend = "Copy SLACK_CLIENT_ID and SLACK_CLIENT_SECRET again from the Basic Information page of the Slack app.";
    return failed(name, `Slack does not accept the client id and secret (${code}).`, mend);
  }
  const who = allowed ? `${allowed.length} listed by FOOTNOTE_INSTALL_ALLOWED` : "every workspace that Slack lets";
  return ok(name, `Slack accepts the client id and secret. At ${installAt}: ${who}.`);
}

function scopesCheck(title: string, { scopes, team }: Reply): Check {
  if (scopes === null)
    return warning(title, "Slack accepts the token but did not say its scopes.", "Compare the app's scopes with manifest.yml.");
  const granted = scopes.split(/[,\s]+/);
  const missing = missingScopes(granted).map(({ scope }) => scope);
  const without = optionalScopes.filter(({ scope }) => !granted.includes(scope));
  const where = team ? ` of ${team}` : "";
  const lost = without.map(({ scope, tool }) => ` Without ${scope}, which is not asked for, ${tool} cannot be used.`).join("");
  if (missing.length === 0)
    return ok(title, `Slack accepts the token${where}, with all ${requiredScopes.length} scopes of the manifest.${lost}`);
  return failed(
    title,
    `The token${where} lacks ${missing.length === 1 ? "the scope" : "the scopes"} ${missing.join(", ")}.${lost}`,
    "Add what is missing under OAuth & Permissions (or paste manifest.yml again), then reinstall the app to the workspace.",
  );
}

function clockCheck({ skewMs }: Reply): readonly Check[] {
  if (skewMs === undefined) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const said = `This machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} Slack's.`;
  const mend = "Set the clock by a time server (NTP).";
  if (Math.abs(skewMs) >= intolerableSkewMs) return [failed("Clock", said, mend)];
  if (Math.abs(skewMs) >= noticeableSkewMs) return [warning("Clock", said, mend)];
  return [ok("Clock", `This machine's clock agrees with Slack's${seconds > 0 ? ` within ${seconds} s` : ""}.`)];
}

const unreachable = (title: string): Check =>
  failed(title, "Slack cannot be reached.", "Check the network, a proxy or firewall in between, and SLACK_API_URL if it is set.");

/** Not by the SDK's client, which keeps the headers to itself. Undefined when there is no answer in Slack's form. */
async function call(method: string, token: Secret, { apiUrl = "https://slack.com/api/", clock }: SlackChecks): Promise<Reply | undefined> {
  try {
    const response = await fetch(`${apiUrl}${method}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token.reveal()}` },
      redirect: "error",
      signal: AbortSignal.timeout(patienceMs),
    });
    const { ok: accepted, error, team } = (await response.json()) as { ok?: unknown; error?: unknown; team?: unknown };
    if (typeof accepted !== "boolean") return undefined;
    const date = Date.parse(response.headers.get("date") ?? "");
    return {
      ok: accepted,
      // Only a code gets out, never a sentence that somebody else wrote.
      error: typeof error === "string" && /^[a-z_]{1,50}$/.test(error) ? error : "no reason given",
      ...(typeof team === "string" && { team }),
      scopes: response.headers.get("x-oauth-scopes"),
      skewMs: Number.isNaN(date) ? undefined : clock.now().getTime() - date,
    };
  } catch {
    return undefined;
  }
}
