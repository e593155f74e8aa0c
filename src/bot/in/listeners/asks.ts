import type { ReplyRule } from "../../../agent/templates/template.ts";
import { channelId } from "../../../core/ids.ts";
import { addressesSomebodyElse, mentions } from "../../turns/question-text.ts";
import type { SlackMessage } from "../../turns/slack-message.ts";
import type { IncomingMessage } from "../../turns/turn-store.ts";
import type { Delivery, ListenerContext } from "./listener.ts";

/** Whether a message is a question for the bot; undefined when it is none of our business. */
export async function asks(
  message: SlackMessage,
  { installation: { botUserId: bot, tenant } }: Pick<Delivery, "installation">,
  { replyRule }: Pick<ListenerContext, "replyRule">,
): Promise<IncomingMessage["asks"] | undefined> {
  if (message.channel_type === "im" || mentions(message.text ?? "", bot)) return "always";
  return unaddressed(message, bot, await replyRule(tenant, channelId(message.channel)));
}

/** The same for one that neither mentions the bot nor was written to it. */
function unaddressed({ text, thread_ts, ts }: SlackMessage, bot: string, rule: ReplyRule): IncomingMessage["asks"] | undefined {
  const elsewhere = addressesSomebodyElse(text ?? "", bot);
  if (!thread_ts || thread_ts === ts) return rule === "always" && !elsewhere ? "always" : undefined;
  return elsewhere || rule === "mention" ? "never" : "in-known-thread";
}
