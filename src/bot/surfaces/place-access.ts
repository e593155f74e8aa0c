import { type ChannelId, channelId, type PersonId } from "../../core/ids.ts";
import type { Directory, Person } from "../../permissions/directory.ts";
import { isReader } from "../../permissions/reader.ts";

/** What is asked of a directory to find out who reads where. */
export interface Readership extends Pick<Directory, "place" | "channelsOf"> {
  directMessage(id: PersonId): Promise<ChannelId>;
}

/** Whether somebody reads a place. Its id proves nothing: it came with a click. */
export async function readsPlace(
  channel: string,
  { person, desk: { directory } }: { readonly person: Person; readonly desk: { readonly directory: Readership } },
): Promise<boolean> {
  const [place, channels, directMessage] = await Promise.all([
    directory.place(channelId(channel)),
    directory.channelsOf(person.id),
    directory.directMessage(person.id),
  ]);
  return place !== undefined && isReader(place, person, { channels, directMessage });
}
