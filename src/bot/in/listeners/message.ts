import { addressesSomebodyElse, mentions } from "../../turns/question-text.ts";
import { incomingMessage } from "./incoming-message.ts";
import type { Listener } from "./listener.ts";

/**
 * A message where the bot can read. In a direct message every one is a question; in a channel a mention is, and a reply in a thread
 * the bot takes part in, unless it is addressed to somebody else: that is only remembered. All else in a channel is none of our business.
 */
export const message: Listener = {
  on: { event: "message" },
  policy: "person-message",
  async handle(delivery, inbox) {
    const bot = delivery.installation.botUserId;
    const stored = incomingMessage(delivery, ({ channel_type, text, thread_ts, ts }) => {
      if (channel_type === "im" || mentions(text ?? "", bot)) return "always";
      if (!thread_ts || thread_ts === ts) return undefined;
      return addressesSomebodyElse(text ?? "", bot) ? "never" : "in-known-thread";
    });
    if (stored) await inbox.accept(delivery.installation.tenant, stored);
  },
};
