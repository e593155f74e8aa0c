import { createHash } from "node:crypto";
import type { ChannelId } from "../core/ids.ts";
import { channelPrincipal, everyone, groupPrincipal, type Principal, personPrincipal } from "../core/principal.ts";
import type { Audience } from "../plugins/contract.ts";
import type { Person, Place } from "./directory.ts";
import { atLeast, takesPart } from "./roles.ts";

/** With whose rights a channel is answered: what every reader may see, or what the asker may see, where an admin has said so. */
export type Rights = "every_member" | "asker";

/**
 * The grants an answer in this place may draw on: those that hold for everybody who will be able to read it.
 * @param channelsOfPerson the channels the person is in, as `groups` are their user groups; both matter only where the asker's own rights count
 */
export function audienceFor(
  place: Place,
  person: Person,
  channelsOfPerson: readonly ChannelId[],
  { rights = "every_member", groups = [] }: { readonly rights?: Rights | undefined; readonly groups?: readonly string[] } = {},
): Audience {
  if (!takesPart(person) || place.outsiders === "some") return audienceOf([]);
  const own = place.kind === "direct" || (rights === "asker" && answeredWithOwnRights(place, person));
  return audienceOf(own ? ownRights(person, channelsOfPerson, groups) : readersOf(place, person));
}

/**
 * Whether a channel that an admin has set to the asker's rights is answered so: only where it is known that nobody but full members reads
 * along. Everywhere else the rule for every member holds.
 */
export const answeredWithOwnRights = (place: Place, person: Person): boolean =>
  place.kind !== "direct" && place.guests === "none" && place.outsiders === "none" && takesPart(person) && isFullMember(person);

/** Whether an answer for `before` may go on before the eyes of `now`: nothing that it may hold is hidden from those who read by now. */
export const stillHolds = (before: Audience, now: Audience): boolean =>
  before.key === now.key || before.principals.every((principal) => now.principals.includes(principal));

/** What somebody may see where nobody else looks: in a modal, in their App Home. */
export const audienceOfOne = (person: Person, channels: readonly ChannelId[], groups: readonly string[] = []): Audience =>
  audienceOf(takesPart(person) ? ownRights(person, channels, groups) : []);

/** The audience of a set of grants. Order and repetition do not matter. */
export function audienceOf(grants: readonly Principal[]): Audience {
  const principals = [...new Set(grants)].sort();
  return { key: createHash("sha256").update(JSON.stringify(principals)).digest("hex"), principals };
}

/** Nobody else reads a direct message, so the asker's own rights count. Administering a workspace gives no reading rights. */
function ownRights(person: Person, channels: readonly ChannelId[], groups: readonly string[]): Principal[] {
  const own = [personPrincipal(person.id), ...channels.map(channelPrincipal), ...groups.map(groupPrincipal)];
  return isFullMember(person) ? [everyone, ...own] : own;
}

/**
 * (a) What is granted to this channel; (b) what the whole workspace may read, only when it is known that no guest and no
 * outsider reads along; (c) what is granted to a user group that every reader is in. The asker never widens this, but a guest who asks is proof that one is present.
 */
function readersOf(place: Place, person: Person): Principal[] {
  const membersOnly = place.guests === "none" && place.outsiders === "none" && isFullMember(person);
  const ofAll = [channelPrincipal(place.id), ...(place.groups ?? []).map(groupPrincipal)];
  return membersOnly ? [...ofAll, everyone] : ofAll;
}

const isFullMember = (person: Person): boolean => atLeast(person.role, "member");
