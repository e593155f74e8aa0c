import { AppError } from "../../core/errors.ts";
import { channelId } from "../../core/ids.ts";
import type { Directory, Person, Place } from "../../permissions/directory.ts";
import { isReader } from "../../permissions/reader.ts";

/** Slack's ids are upper-case, its names never are. */
const slackId = /^[CDG][A-Z0-9_]{2,}$/;

/**
 * A conversation that the person reads, by name or by Slack's id.
 * @throws AppError CHANNEL_UNKNOWN: one they are not in, and one that does not exist, look the same
 */
export async function readablePlace(directory: Directory, person: Person, nameOrId: string): Promise<Place> {
  const [place, channels, directMessage] = await Promise.all([
    slackId.test(nameOrId) ? directory.place(channelId(nameOrId)) : directory.findChannel(nameOrId),
    directory.channelsOf(person.id),
    directory.directMessage(person.id),
  ]);
  if (!place || !isReader(place, person, { channels, directMessage })) throw new AppError("CHANNEL_UNKNOWN");
  return place;
}
