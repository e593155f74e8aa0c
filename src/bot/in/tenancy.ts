import { AppError } from "../../core/errors.ts";
import type { Installation, Installations } from "../workspace/installations.ts";

/** The fields of any delivery (event, click, command) that say where it comes from. All of it is Slack's word, none of it the author's. */
export interface Envelope {
  readonly type?: string;
  readonly api_app_id?: string;
  /** The workspace through which the app receives it: the owner of the channel context. */
  readonly context_team_id?: string | null;
  readonly team_id?: string;
  readonly authorizations?:
    | readonly { readonly team_id?: string | null; readonly enterprise_id?: string | null; readonly is_enterprise_install?: boolean }[]
    | null;
  /** Of clicks and commands: whether an organisation has installed the app for the workspace, and which. Commands write it as text. */
  readonly is_enterprise_install?: boolean | string;
  readonly enterprise?: { readonly id?: string } | null;
  readonly enterprise_id?: string | null;
  /** Of clicks and forms that come with an organisation's installation: where they were made, when `team` is not given. */
  readonly user?: { readonly team_id?: string } | string | null;
  readonly view?: { readonly app_installed_team_id?: string | null } | null;
  /** Of clicks and commands: the workspace in which the app is installed. */
  readonly team?: { readonly id?: string } | null;
  readonly event?: { readonly type?: string; readonly text?: unknown } | null;
}

/**
 * Whose delivery this is. In a channel shared between workspaces the outer `team_id` and the author's home team may both be foreign;
 * the tenant is the installation that owns the channel context. Where two installations of the app are named, the one whose bot
 * is mentioned decides, so that exactly one tenant handles the message however often and wherever it is delivered.
 * @throws AppError EVENT_UNROUTABLE when no installation matches; whatever the look-up throws when it cannot know
 */
export async function route(envelope: Envelope, installations: Installations): Promise<Installation> {
  const found: Installation[] = [];
  const organisation = organisationOf(envelope);
  const teams = teamsOf(envelope, organisation !== undefined);
  const over = organisation ?? envelope.enterprise_id;
  if (teams.size === 0 && over && isRemoval(envelope)) teams.add(over);
  for (const team of teams) {
    const installation = await installations.byTeam(team, organisation);
    if (installation && matchesApp(envelope, installation)) found.push(installation);
  }
  const text = envelope.event?.text;
  const mentioned = typeof text === "string" && found.find(({ botUserId }) => text.includes(`<@${botUserId}`));
  const chosen = mentioned || found[0];
  if (!chosen) throw new AppError("EVENT_UNROUTABLE");
  return chosen;
}

/**
 * Candidate workspaces, most telling first. The outer team counts only where Slack says nothing better; so does the author's workspace, and
 * only with an organisation's installation: there Slack leaves the others out, and the organisation's own list of workspaces decides.
 */
function teamsOf(envelope: Envelope, ofOrganisation: boolean): Set<string> {
  const { context_team_id, authorizations, team, view, user } = envelope;
  const better = [context_team_id, ...(authorizations ?? []).map(({ team_id }) => team_id), team?.id, view?.app_installed_team_id].filter(
    isTeam,
  );
  if (better.length > 0) return new Set(better);
  const author = ofOrganisation && typeof user === "object" ? user?.team_id : undefined;
  return new Set([envelope.team_id, author].filter(isTeam));
}

/** The only deliveries that an organisation gets as a whole: its installation has ended. */
const isRemoval = ({ event }: Envelope): boolean => event?.type === "app_uninstalled" || event?.type === "tokens_revoked";

/** Where an organisation has installed the app, Slack may give its id (E...) in place of a workspace's. */
const isTeam = (id: unknown): id is string => typeof id === "string" && id !== "" && !id.startsWith("E");

/** The organisation that has installed the app for the workspace; undefined when the workspace has done so itself. */
function organisationOf(envelope: Envelope): string | undefined {
  const authorization = envelope.authorizations?.find(({ is_enterprise_install }) => is_enterprise_install === true);
  if (authorization) return authorization.enterprise_id ?? undefined;
  const installed = envelope.is_enterprise_install === true || envelope.is_enterprise_install === "true";
  return installed ? (envelope.enterprise?.id ?? envelope.enterprise_id ?? undefined) : undefined;
}

const matchesApp = ({ api_app_id }: Envelope, { appId }: Installation): boolean => !appId || !api_app_id || appId === api_app_id;
