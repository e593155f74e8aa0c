import { channelId } from "../../core/ids.ts";
import { isReader } from "../../permissions/reader.ts";
import type { Clicked } from "./desk.ts";

/** Whether somebody reads a place. Its id proves nothing: it came with a click. */
export async function readsPlace(channel: string, { person, desk: { directory } }: Pick<Clicked, "person" | "desk">): Promise<boolean> {
  const [place, channels, directMessage] = await Promise.all([
    directory.place(channelId(channel)),
    directory.channelsOf(person.id),
    directory.directMessage(person.id),
  ]);
  return place !== undefined && isReader(place, person, { channels, directMessage });
}
