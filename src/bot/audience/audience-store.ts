import type { ChannelId } from "../../core/ids.ts";
import type { Rights } from "../../permissions/audience.ts";
import type { Once } from "../commands/command-store.ts";

/** With whose rights the channels of one tenant are answered, as admins have set it. */
export interface TenantAudiences {
  /** "every_member" unless an admin has said otherwise. */
  inChannel(channel: ChannelId): Promise<Rights>;
  /** One transaction: the key, the change, its line in the audit log. */
  set(once: Once, channel: ChannelId, rights: Rights): Promise<"changed" | "unchanged" | "seen">;
}
