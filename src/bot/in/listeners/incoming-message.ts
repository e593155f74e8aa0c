import { z } from "zod";
import { channelId, messageTs, personId } from "../../../core/ids.ts";
import { namedFiles } from "../../documents/named-file.ts";
import { readMessage, type SlackMessage } from "../../turns/slack-message.ts";
import type { IncomingMessage } from "../../turns/turn-store.ts";
import type { Delivery } from "./listener.ts";

const envelope = z.object({ event_id: z.string().min(1) });

/**
 * The message of a delivery in our own terms.
 * @param asks says whether it is a question; undefined when the message does not concern us
 */
export function incomingMessage(
  { payload, body }: Delivery,
  asks: (message: SlackMessage) => IncomingMessage["asks"] | undefined,
): IncomingMessage | undefined {
  const message = readMessage(payload);
  const { data } = envelope.safeParse(body);
  if (!message || !data) return undefined;
  const question = asks(message);
  if (!question) return undefined;
  return {
    eventId: data.event_id,
    channel: channelId(message.channel),
    thread: messageTs(message.thread_ts ?? message.ts),
    ts: messageTs(message.ts),
    person: personId(message.user),
    text: message.text ?? "",
    ...(message.files && message.files.length > 0 && { files: namedFiles(message.files) }),
    asks: question,
  };
}
