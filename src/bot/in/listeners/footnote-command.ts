import { z } from "zod";
import { channelId, personId } from "../../../core/ids.ts";
import { opensModal, slashCommand } from "../../commands/command.ts";
import type { Listener } from "./listener.ts";

/** What is read of Slack's slash command. It has no thread: Slack offers none inside of threads. */
const slash = z.object({
  command: z.literal("/footnote"),
  text: z.string().max(20_000).default(""),
  user_id: z.string().min(1),
  channel_id: z.string().min(1),
  trigger_id: z.string().min(1).max(500),
  response_url: z.string().max(1_000).optional(),
});

/** `/footnote ...`: acknowledged at once, answered at the response address for its author alone, or with a modal. */
export const footnoteCommand: Listener = {
  on: { command: "/footnote" },
  policy: "person-command",
  async handle({ installation, payload }, _inbox, { commands, surface }) {
    const { data } = slash.safeParse(payload);
    if (!data) return;
    const opens = opensModal(data.text);
    if (opens) {
      const who = { tenant: installation.tenant, person: personId(data.user_id), at: { channel: channelId(data.channel_id) } };
      const { trigger_id: trigger, response_url: responseUrl = "" } = data;
      return surface.clicked({ ...who, action: opens, value: "", trigger, responseUrl, entered: new Map() });
    }
    const given = {
      tenant: installation.tenant,
      person: personId(data.user_id),
      channel: channelId(data.channel_id),
      direct: data.channel_id.startsWith("D"),
      key: `slash ${data.trigger_id}`,
      responseUrl: data.response_url ?? "",
    };
    commands.fromSlash(given, slashCommand(data.text));
  },
};
