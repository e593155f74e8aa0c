import type { ReplyRule } from "../../../agent/templates/template.ts";
import { channelId } from "../../../core/ids.ts";
import { addressesSomebodyElse, mentions } from "../../turns/question-text.ts";
import { readChange, readMessage, type SlackMessage } from "../../turns/slack-message.ts";
import type { IncomingMessage } from "../../turns/turn-store.ts";
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
    const { botUserId: bot, tenant } = delivery.installation;
    const change = readChange(delivery.payload);
    if (change) return changed(change, delivery, context);
    const read = readMessage(delivery.payload);
    if (!read || (await stopped(read, delivery, context)) || (await carriedOut(read, delivery, context))) return;
    const certain = read.channel_type === "im" || mentions(read.text ?? "", bot);
    const rule = certain ? "thread" : await context.replyRule(tenant, channelId(read.channel));
    const stored = incomingMessage(delivery, (written) => (certain ? "always" : asks(written, bot, rule)));
    if (stored) await inbox.accept(tenant, stored);
  },
};

/** Whether a message that neither mentions the bot nor was written to it is a question for it. */
function asks({ text, thread_ts, ts }: SlackMessage, bot: string, rule: ReplyRule): IncomingMessage["asks"] | undefined {
  const elsewhere = addressesSomebodyElse(text ?? "", bot);
  if (!thread_ts || thread_ts === ts) return rule === "always" && !elsewhere ? "always" : undefined;
  return elsewhere || rule === "mention" ? "never" : "in-known-thread";
}
