import type { ChannelId, MessageTs, PersonId } from "../core/ids.ts";
import { holds } from "./app-roles.ts";
import type { AppRole } from "./directory.ts";
import { atLeast, type Standing, takesPart } from "./roles.ts";

/** For whom a switch counts: the whole workspace (a lock), a channel, a thread, one person. */
export type ToggleScope = "admin" | "channel" | "thread" | "person";

/** The first in which a tool is off counts. */
export const toggleScopes: readonly ToggleScope[] = ["admin", "channel", "thread", "person"];

/** Where a tool is switched. */
export type SwitchPlace =
  | { readonly scope: "admin" }
  | { readonly scope: "channel"; readonly channel: ChannelId }
  | { readonly scope: "thread"; readonly channel: ChannelId; readonly thread: MessageTs }
  | { readonly scope: "person"; readonly person: PersonId };

/**
 * What somebody can change about what the bot does. "knowledge": what everybody finds, and documents that others have added. "servers": which
 * external servers the workspace has of its own.
 */
export type Change = ToggleScope | "template" | "audience" | "knowledge" | "budget" | "servers";

/**
 * Why somebody may not make this change, as a sentence; nothing when they may. Members narrow for themselves and for the threads they
 * take part in; what counts for others beyond a thread is an admin's, or of who holds the app role for it. Guests, outsiders and bots are
 * never admins, whatever their own workspace says of them (see `standingOf`).
 * @param channel where it is changed, when it counts for one channel alone
 */
export function mayNotChange(change: Change, person: Standing, channel?: ChannelId): string | undefined {
  if (!takesPart(person)) return "Only people of this workspace can change what Footnote does here.";
  if (change === "person" || change === "thread" || atLeast(person.role, "admin")) return undefined;
  const role = roleFor[change];
  return role && holds(person, role, channel) ? undefined : adminsOnly[change];
}

/**
 * Which app role lets somebody make a change who is no admin. Whose rights count in a channel, what may be spent, and who gets data is nobody's
 * but an admin's.
 */
const roleFor: Readonly<Record<keyof typeof adminsOnly, AppRole | undefined>> = {
  admin: "tool-manager",
  channel: "tool-manager",
  template: "template-editor",
  audience: undefined,
  budget: undefined,
  knowledge: "knowledge-editor",
  servers: undefined,
};

const adminsOnly = {
  admin: "Only a workspace admin or a tool manager can lock or unlock a tool. You can switch it off for yourself with “for me”.",
  channel:
    "Only a workspace admin or a tool manager can change the tools of a whole channel. You can switch tools off for yourself with “for me”.",
  template: "Only a workspace admin or a template editor can choose a channel's assistant.",
  audience: "Only a workspace admin can choose with whose rights a channel is answered.",
  budget: "Only a workspace admin can set budgets.",
  knowledge: "Only a workspace admin or a knowledge editor can decide what the whole workspace finds.",
  servers: "Only a workspace admin can add, change or remove external servers.",
} satisfies Readonly<Record<Exclude<Change, "person" | "thread">, string>>;
