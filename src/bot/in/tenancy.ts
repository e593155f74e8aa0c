import { AppError } from "../../core/errors.ts";
import type { Installation, Installations } from "../workspace/installations.ts";

/** The fields of any delivery (event, click, command) that say where it comes from. All of it is Slack's word, none of it the author's. */
export interface Envelope {
  readonly type?: string;
  readonly api_app_id?: string;
  /** The workspace through which the app receives it: the owner of the channel context. */
  readonly context_team_id?: string | null;
  readonly team_id?: string;
  readonly authorizations?: readonly { readonly team_id?: string | null }[] | null;
  /** Of clicks and commands: the workspace in which the app is installed. */
  readonly team?: { readonly id?: string } | null;
  readonly event?: { readonly text?: unknown } | null;
}

/**
 * Whose delivery this is. In a channel shared between workspaces the outer `team_id` and the author's home team may both be foreign;
 * the tenant is the installation that owns the channel context. Where two installations of the app are named, the one whose bot
 * is mentioned decides, so that exactly one tenant handles the message however often and wherever it is delivered.
 * @throws AppError EVENT_UNROUTABLE when no installation matches; whatever the look-up throws when it cannot know
 */
export async function route(envelope: Envelope, installations: Installations): Promise<Installation> {
  const found: Installation[] = [];
  for (const team of teamsOf(envelope)) {
    const installation = await installations.byTeam(team);
    if (installation && matchesApp(envelope, installation)) found.push(installation);
  }
  const text = envelope.event?.text;
  const mentioned = typeof text === "string" && found.find(({ botUserId }) => text.includes(`<@${botUserId}`));
  const chosen = mentioned || found[0];
  if (!chosen) throw new AppError("EVENT_UNROUTABLE");
  return chosen;
}

/** Candidate workspaces, most telling first. The outer team counts only where Slack says nothing better. */
function teamsOf(envelope: Envelope): ReadonlySet<string> {
  const better = [envelope.context_team_id, ...(envelope.authorizations ?? []).map(({ team_id }) => team_id), envelope.team?.id].filter(
    (team) => typeof team === "string" && team !== "",
  );
  return new Set((better.length > 0 ? better : [envelope.team_id]) as string[]);
}

const matchesApp = ({ api_app_id }: Envelope, { appId }: Installation): boolean => !appId || !api_app_id || appId === api_app_id;
