import { z } from "zod";
import { channelId, personId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

/** What somebody has before them beside the app: channels, canvases, lists, by Slack's kinds. */
const entity = z.object({ type: z.string(), value: z.unknown() });
const opened = z.object({
  user: z.string().min(1).max(100),
  tab: z.string().optional(),
  context: z
    .object({ entities: z.array(entity).max(100).catch([]) })
    .optional()
    .catch(undefined),
});
const someChannel = z.string().regex(/^[CG][A-Z0-9]{1,50}$/);

/** Somebody opens the app: its Home tab, or its messages, where questions to begin with are offered. */
export const homeOpened: Listener = {
  on: { event: "app_home_opened" },
  policy: "person-event",
  async handle({ installation, payload }, _inbox, { surface }) {
    const { data } = opened.safeParse(payload);
    if (!data) return;
    const person = personId(data.user);
    if (data.tab !== "messages") return surface.homeOpened(installation.tenant, person);
    const channel = data.context?.entities.find(({ type }) => type === "slack#/types/channel_id")?.value;
    const viewing = someChannel.safeParse(channel).data;
    surface.messagesOpened(installation.tenant, person, viewing === undefined ? undefined : channelId(viewing));
  },
};
