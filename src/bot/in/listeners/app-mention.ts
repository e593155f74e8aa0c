import { readMessage } from "../../turns/slack-message.ts";
import { carriedOut } from "./carry-out.ts";
import { incomingMessage } from "./incoming-message.ts";
import type { Listener } from "./listener.ts";
import { stopped } from "./stop.ts";

/** Somebody mentions the bot. Slack sends a `message` for the same words too, in either order; the inbox keeps one of them. */
export const appMention: Listener = {
  on: { event: "app_mention" },
  policy: "person-message",
  async handle(delivery, inbox, context) {
    const read = readMessage(delivery.payload);
    if (read && (await stopped(read, delivery, context))) return;
    if (read && (await carriedOut(read, delivery, context))) return;
    const message = incomingMessage(delivery, () => "always");
    if (!message) return;
    context.search.note(delivery.installation.tenant, message, delivery.payload);
    await inbox.accept(delivery.installation.tenant, message);
  },
};
