import { readChange, readMessage } from "../../turns/slack-message.ts";
import { asks } from "./asks.ts";
import { carriedOut } from "./carry-out.ts";
import { changed } from "./changed-message.ts";
import { incomingMessage } from "./incoming-message.ts";
import type { Listener } from "./listener.ts";
import { stopped } from "./stop.ts";

/**
 * A message where the bot can read. In a direct message every one is a question; in a channel a mention is, and beyond that what the
 * channel's template says: a reply in a thread the bot takes part in as a rule, nothing more or every message. What is addressed to somebody
 * else is only remembered in such a thread. All else in a channel is none of our business.
 */
export const message: Listener = {
  on: { event: "message" },
  policy: "person-writing",
  async handle(delivery, inbox, context) {
    const change = readChange(delivery.payload);
    if (change) return changed(change, delivery, context);
    const read = readMessage(delivery.payload);
    if (!read || (await stopped(read, delivery, context)) || (await carriedOut(read, delivery, context))) return;
    const asked = await asks(read, delivery, context);
    const stored = incomingMessage(delivery, () => asked);
    if (!stored) return;
    context.search.note(delivery.installation.tenant, stored, delivery.payload);
    await inbox.accept(delivery.installation.tenant, stored);
  },
};
