import { z } from "zod";
import { channelId, personId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const joined = z.object({ user: z.string().min(1).max(100), channel: z.string().min(1).max(100) });
const shared = z.object({ channel: z.string().min(1).max(100) });

/** Somebody has joined a channel and reads along from now on. */
export const memberJoined: Listener = {
  on: { event: "member_joined_channel" },
  policy: "person-event",
  async handle({ installation, payload }, _inbox, { audience }) {
    const { data } = joined.safeParse(payload);
    if (data) await audience.joined(installation.tenant, channelId(data.channel), personId(data.user));
  },
};

/** A channel is shared with another organisation. Slack names nobody who did so. */
export const channelShared: Listener = {
  on: { event: "channel_shared" },
  policy: "slack-says",
  async handle({ installation, payload }, _inbox, { audience }) {
    const { data } = shared.safeParse(payload);
    if (data) await audience.shared(installation.tenant, channelId(data.channel));
  },
};
