import type { Person, Role } from "./directory.ts";

/** The part of Slack's user object (users.info, users.list, team_join) that decides what somebody may do. */
export interface SlackUserFlags {
  readonly id: string;
  readonly team_id?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_workflow_bot?: boolean;
  readonly is_primary_owner?: boolean;
  readonly is_owner?: boolean;
  readonly is_admin?: boolean;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly is_stranger?: boolean;
  /** On Enterprise Grid a colleague's own workspace may be another one; `teams` lists all they belong to. */
  readonly enterprise_user?: { readonly teams?: readonly string[] };
}

/** What is known of somebody's rights before any tool or document is named. */
export type Standing = Pick<Person, "role" | "isBot" | "deactivated" | "granted">;

/** Slack's own assistant user, which Slack does not flag as a bot. */
const SLACKBOT = "USLACKBOT";

/** Higher is more trusted. */
const rank: Readonly<Record<Role, number>> = { outsider: 0, guest: 1, member: 2, admin: 3, owner: 4 };

/** Reads a person's standing in the workspace `home` (Slack's team id) from Slack's description of them. */
export function standingOf(user: SlackUserFlags, home: string): Standing {
  return {
    role: roleOf(user, home),
    isBot: user.is_bot === true || user.is_workflow_bot === true || user.id === SLACKBOT,
    deactivated: user.deleted === true,
  };
}

/**
 * Least trusted first: an outsider keeps the owner and admin flags of their own workspace, which mean nothing here, and a
 * contradiction between flags must not lift anybody. A user without a workspace is an outsider.
 */
function roleOf(user: SlackUserFlags, home: string): Role {
  const belongs = user.team_id === home || user.enterprise_user?.teams?.includes(home) === true;
  if (user.is_stranger || !belongs) return "outsider";
  if (user.is_restricted || user.is_ultra_restricted) return "guest";
  if (user.team_id !== home) return "member";
  if (user.is_primary_owner || user.is_owner) return "owner";
  return user.is_admin ? "admin" : "member";
}

/** Whether `role` is trusted as much as `least` or more. A role that is not in the list is never enough. */
export const atLeast = (role: Role, least: Role): boolean => (rank[role] ?? -1) >= (rank[least] ?? Number.POSITIVE_INFINITY);

/** Whether somebody may use Footnote at all: tools and documents are for people of this workspace. */
export const takesPart = (person: Standing): boolean => !person.isBot && !person.deactivated && atLeast(person.role, "guest");
