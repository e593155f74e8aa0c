import { z } from "zod";
import { channelId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const somewhere = z.object({ channel_id: z.string().min(1).max(100) });
const left = z.object({ channel: z.string().min(1).max(100) });

type FileEvent = "file_shared" | "file_unshared" | "file_change";

/** A file has come to a channel, has left it, or has changed: its source looks. What there is to read it asks Slack, not the event. */
const fileEvent = (event: FileEvent): Listener => ({
  on: { event },
  policy: "slack-says",
  async handle({ installation, payload }, _inbox, { channelFiles }) {
    const { data } = somewhere.safeParse(payload);
    await channelFiles.changed(installation.tenant, data && channelId(data.channel_id));
  },
});

/** The bot was taken out of a channel. */
const leftEvent = (event: "channel_left" | "group_left"): Listener => ({
  on: { event },
  policy: "slack-says",
  async handle({ installation, payload }, _inbox, { channelFiles }) {
    const { data } = left.safeParse(payload);
    if (data) await channelFiles.changed(installation.tenant, channelId(data.channel));
  },
});

/** What concerns the files of channels that are followed. */
export const channelFileListeners: readonly Listener[] = [
  ...(["file_shared", "file_unshared", "file_change"] as const).map(fileEvent),
  ...(["channel_left", "group_left"] as const).map(leftEvent),
];
