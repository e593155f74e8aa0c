import { channelId, messageTs, personId } from "../../../core/ids.ts";
import { mentions, questionText } from "../../turns/question-text.ts";
import type { SlackMessage } from "../../turns/slack-message.ts";
import { saysStop } from "../../turns/stop-message.ts";
import type { Delivery, ListenerContext } from "./listener.ts";

/** Whether a message tells the bot to stop, and whether it is spoken to. In a channel that takes a thread or a mention. */
export function stopIn(message: SlackMessage, bot: string): { readonly addressed: boolean } | undefined {
  const raw = message.text ?? "";
  const mentioned = mentions(raw, bot);
  const addressed = mentioned || message.channel_type === "im";
  if (!addressed && !inThread(message)) return undefined;
  return saysStop(mentioned ? questionText(raw, bot, unnamed) : raw) ? { addressed } : undefined;
}

/**
 * Stops what runs where a message says so: in its thread, or at top level what its author has asked in the conversation. False when
 * it says no such thing. It is never a question, also when nothing runs.
 */
export async function stopped(message: SlackMessage, { installation }: Delivery, { control }: ListenerContext): Promise<boolean> {
  const found = stopIn(message, installation.botUserId);
  if (!found) return false;
  await control.stop(installation.tenant, {
    ...found,
    channel: channelId(message.channel),
    ...(inThread(message) && { thread: messageTs(message.thread_ts ?? "") }),
    before: messageTs(message.ts),
    person: personId(message.user),
    key: `stop ${message.channel} ${message.ts}`,
  });
  return true;
}

const inThread = ({ thread_ts, ts }: SlackMessage): boolean => typeof thread_ts === "string" && thread_ts !== ts;

const unnamed = { person: () => undefined, channel: () => undefined };
