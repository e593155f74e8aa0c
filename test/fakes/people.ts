import { type ChannelId, channelId, personId } from "../../src/core/ids.ts";
import type { Person, Place } from "../../src/permissions/directory.ts";

/** Somebody of the workspace: an active member who is no bot, unless told otherwise. */
export const person = (name: string, changes: Partial<Omit<Person, "id">> = {}): Person => ({
  id: personId(`U_${name.toUpperCase()}`),
  name,
  displayName: name,
  role: "member",
  isBot: false,
  deactivated: false,
  ...changes,
});

/** A channel that only full members read, unless told otherwise. */
export const place = (name: string, kind: Place["kind"], changes: Partial<Omit<Place, "id" | "kind">> = {}): Place => ({
  id: channel(name),
  name,
  kind,
  guests: "none",
  outsiders: "none",
  ...changes,
});

export const channel = (name: string): ChannelId => channelId(`C_${name.toUpperCase()}`);
