import { channelId, messageTs, personId } from "../../../core/ids.ts";
import { commandIn } from "../../commands/message-command.ts";
import type { SlackMessage } from "../../turns/slack-message.ts";
import type { Delivery, ListenerContext } from "./listener.ts";

/**
 * Carries out the command that a message holds. False when it holds none: then it may be a question. Slack delivers a mention as two
 * events, with the same channel and time.
 */
export async function carriedOut(message: SlackMessage, { installation }: Delivery, { commands }: ListenerContext): Promise<boolean> {
  const found = commandIn(message, installation.botUserId);
  if (!found) return false;
  const inThread = message.thread_ts && message.thread_ts !== message.ts;
  const given = {
    tenant: installation.tenant,
    person: personId(message.user),
    channel: channelId(message.channel),
    ...(inThread && { thread: messageTs(message.thread_ts ?? "") }),
    message: messageTs(message.ts),
    direct: message.channel.startsWith("D"),
    key: `message ${message.channel} ${message.ts}`,
  };
  await commands.fromMessage(given, found.command, found.addressed);
  return true;
}
