import type { ChannelId, MessageTs, PersonId } from "../core/ids.ts";
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

/** What somebody can change about what the bot does. */
export type Change = ToggleScope | "template" | "audience";

/**
 * Why somebody may not make this change, as a sentence; nothing when they may. Members narrow for themselves and for the threads they
 * take part in; what counts for others beyond a thread is an admin's. Guests, outsiders and bots are never admins, whatever their
 * own workspace says of them (see `standingOf`).
 */
export function mayNotChange(change: Change, person: Standing): string | undefined {
  if (!takesPart(person)) return "Only people of this workspace can change what Footnote does here.";
  if (change === "person" || change === "thread" || atLeast(person.role, "admin")) return undefined;
  return adminsOnly[change];
}

const adminsOnly: Readonly<Record<Exclude<Change, "person" | "thread">, string>> = {
  admin: "Only a workspace admin can lock or unlock a tool. You can switch it off for yourself with “for me”.",
  channel: "Only a workspace admin can change the tools of a whole channel. You can switch tools off for yourself with “for me”.",
  template: "Only a workspace admin can choose a channel's assistant.",
  audience: "Only a workspace admin can choose with whose rights a channel is answered.",
};
