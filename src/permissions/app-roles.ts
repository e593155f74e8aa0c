import type { ChannelId } from "../core/ids.ts";
import type { AppRole } from "./directory.ts";
import { atLeast, type Standing, takesPart } from "./roles.ts";

/** All app roles, in the order in which they are offered. */
export const appRoles: readonly AppRole[] = ["template-editor", "tool-manager", "knowledge-editor", "auditor"];

/** Whether a role can be given for one channel alone: what the others are about belongs to no channel. */
export const countsInChannels = (role: AppRole): boolean => role === "template-editor" || role === "tool-manager";

/** Whether somebody can hold an app role at all: only full members; a guest who was a member holds nothing any more. */
export const mayHold = (person: Standing): boolean => takesPart(person) && atLeast(person.role, "member");

/** Whether somebody holds a role here. @param channel where it is used; without one only a role in the whole workspace counts */
export const holds = (person: Standing, role: AppRole, channel?: ChannelId): boolean =>
  mayHold(person) &&
  (person.granted ?? []).some((granted) => granted.role === role && (granted.channel === undefined || granted.channel === channel));

/**
 * Whether somebody may give a role, or take it back: owners every one, admins those that count in one channel. Nobody else, whatever roles
 * they hold: a role is not handed on.
 */
export function mayGrant(person: Standing, role: AppRole, channel?: ChannelId): boolean {
  if (!takesPart(person) || (channel !== undefined && !countsInChannels(role))) return false;
  return atLeast(person.role, "owner") || (channel !== undefined && atLeast(person.role, "admin"));
}

/** Whether there is a channel at all whose assistant somebody may choose. */
export const mayChooseSomewhere = (person: Standing): boolean =>
  (takesPart(person) && atLeast(person.role, "admin")) ||
  (mayHold(person) && (person.granted ?? []).some(({ role }) => role === "template-editor"));

/** Whether somebody may look at how answers went, which were found bad, and who holds which role. It gives no right to read documents. */
export const mayAudit = (person: Standing): boolean => (takesPart(person) && atLeast(person.role, "admin")) || holds(person, "auditor");
