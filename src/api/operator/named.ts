import { AppError } from "../../core/errors.ts";
import { channelPrincipal, everyone, type Principal, personPrincipal } from "../../core/principal.ts";
import type { IngestRequest } from "../../operations.ts";
import type { Directory, Person } from "../../permissions/directory.ts";

/** @throws AppError PERSON_UNKNOWN */
export async function personNamed(directory: Directory, name: string): Promise<Person> {
  const person = await directory.findPerson(name);
  if (!person) throw new AppError("PERSON_UNKNOWN");
  return person;
}

/** Who may see what an operator adds: a channel's readers, one person, or every full member. @throws AppError PERSON_UNKNOWN, CHANNEL_UNKNOWN */
export async function grantNamed(
  directory: () => Promise<Directory>,
  { channel, person }: Pick<IngestRequest, "channel" | "person">,
): Promise<Principal> {
  if (channel === undefined && person === undefined) return everyone;
  if (person !== undefined) return personPrincipal((await personNamed(await directory(), person)).id);
  const place = await (await directory()).findChannel(channel ?? "");
  if (!place) throw new AppError("CHANNEL_UNKNOWN");
  return channelPrincipal(place.id);
}
