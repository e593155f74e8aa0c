import { z } from "zod";
import { channelId, messageTs, personId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const ts = z.string().regex(/^\d+\.\d+$/);
const stopped = z.object({
  channel: z.string().min(1),
  user: z.string().min(1),
  thread_ts: ts,
  streaming_message_ts: z.array(ts).min(1).max(100),
});

/** Slack's own stop button under a streamed answer. Slack has closed the stream by then; whether the work ends depends on who pressed it. */
export const sessionStopped: Listener = {
  on: { event: "agent_session_stopped" },
  policy: "person-event",
  async handle({ installation, payload, body }, _inbox, { control }) {
    const { data } = stopped.safeParse(payload);
    if (!data) return;
    await control.stop(installation.tenant, {
      channel: channelId(data.channel),
      thread: messageTs(data.thread_ts),
      messages: data.streaming_message_ts.map(messageTs),
      person: personId(data.user),
      key: `stop ${String((body as { event_id?: unknown } | null)?.event_id)}`,
      addressed: false,
    });
  },
};
