import { z } from "zod";
import type { Delivery, Listener, ListenerContext } from "./listener.ts";

const envelope = z.object({ event_time: z.number().int().positive() });
const revoked = z.object({ tokens: z.object({ bot: z.array(z.string()).nullish() }) });

/** Slack counts the moment in whole seconds. */
async function left({ installation, body }: Delivery, { departures }: ListenerContext, because: string): Promise<void> {
  const { data } = envelope.safeParse(body);
  // An organisation's installation ends as a whole, whichever of its workspaces Slack names.
  const leaving = installation.organisation ?? installation.tenant;
  if (data) await departures.left(leaving, because, new Date((data.event_time + 1) * 1_000));
}

/** The app was removed from the workspace. Slack sends `tokens_revoked` as well, in either order. */
export const appUninstalled: Listener = {
  on: { event: "app_uninstalled" },
  policy: "app-removed",
  handle: (delivery, _inbox, context) => left(delivery, context, "The app was removed in Slack."),
};

/** Tokens are worth nothing any more. Only the bot's ends the installation: people's own are none of it. */
export const tokensRevoked: Listener = {
  on: { event: "tokens_revoked" },
  policy: "app-removed",
  async handle(delivery, _inbox, context) {
    const bots = revoked.safeParse(delivery.payload).data?.tokens.bot ?? [];
    if (bots.includes(delivery.installation.botUserId)) await left(delivery, context, "Its bot token was revoked in Slack.");
  },
};
