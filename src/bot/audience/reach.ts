import type { ChannelId, MessageTs } from "../../core/ids.ts";
import { answeredWithOwnRights, type Rights } from "../../permissions/audience.ts";
import type { Directory, Person } from "../../permissions/directory.ts";
import type { TenantPrivateSearches } from "../surfaces/private/private-store.ts";
import type { TenantAudiences } from "./audience-store.ts";

/** Who will read an answer, and what follows from that for what stands below it. */
export type Reach =
  | { readonly kind: "channel"; readonly rights: Rights }
  /** `sharesTo`: the channel in which it was asked before, and into which its asker may share the answer. */
  | { readonly kind: "direct"; readonly sharesTo?: ChannelId };

/** Works out the reach of an answer to somebody's question. */
export async function reachOf(
  { channel, thread }: { readonly channel: ChannelId; readonly thread: MessageTs },
  person: Person,
  parts: {
    readonly directory: Pick<Directory, "place">;
    readonly audiences: Pick<TenantAudiences, "inChannel">;
    readonly searches: Pick<TenantPrivateSearches, "origin">;
  },
): Promise<Reach> {
  if (channel.startsWith("D")) {
    const origin = await parts.searches.origin(channel, thread);
    return { kind: "direct", ...(origin?.person === person.id && { sharesTo: origin.channel }) };
  }
  if ((await parts.audiences.inChannel(channel)) !== "asker") return { kind: "channel", rights: "every_member" };
  const place = await parts.directory.place(channel);
  return { kind: "channel", rights: place && answeredWithOwnRights(place, person) ? "asker" : "every_member" };
}
