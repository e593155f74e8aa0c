import type { ChannelId } from "../core/ids.ts";
import type { Person, Place } from "./directory.ts";
import { atLeast, takesPart } from "./roles.ts";

/** What is known of where somebody is. */
export interface Whereabouts {
  /** The channels the person is in. */
  readonly channels: readonly ChannelId[];
  /** The person's direct message with the bot. */
  readonly directMessage: ChannelId;
}

/**
 * Whether somebody reads a place. A Slack event proves it by itself; doors that take a person and a place from elsewhere (the
 * terminal, the API, a link) ask here before they answer with what the place's readers may see.
 */
export function isReader(place: Place, person: Person, { channels, directMessage }: Whereabouts): boolean {
  if (!takesPart(person)) return false;
  if (place.kind === "direct") return place.id === directMessage;
  const open = place.kind === "public" && atLeast(person.role, "member");
  return open || channels.includes(place.id);
}
