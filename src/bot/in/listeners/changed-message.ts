import { channelId, messageTs, personId } from "../../../core/ids.ts";
import { commandIn } from "../../commands/message-command.ts";
import type { MessageChange } from "../../turns/slack-message.ts";
import { asks } from "./asks.ts";
import type { Delivery, ListenerContext } from "./listener.ts";
import { stopIn } from "./stop.ts";

/** Somebody has edited or deleted what they had written. An edit never carries out a command. */
export async function changed(change: MessageChange, delivery: Delivery, context: ListenerContext): Promise<void> {
  const { tenant, botUserId } = delivery.installation;
  const { control } = context;
  const { message } = change;
  const thread = messageTs(message.thread_ts ?? message.ts);
  const at = { channel: channelId(message.channel), ts: messageTs(message.ts), thread, person: personId(message.user) };
  if (change.kind === "deleted") {
    const eventId = String((delivery.body as { event_id?: unknown } | null)?.event_id ?? "");
    return control.deleted(tenant, { ...at, eventId });
  }
  if (commandIn(message, botUserId) || stopIn(message, botUserId)) return;
  const awaited = (await asks(message, delivery, context)) !== undefined;
  await control.edited(tenant, { ...at, text: message.text ?? "", editedTs: messageTs(change.editedTs), awaited });
}
