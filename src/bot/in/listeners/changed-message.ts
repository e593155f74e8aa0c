import { channelId, messageTs, personId } from "../../../core/ids.ts";
import { commandIn } from "../../commands/message-command.ts";
import type { MessageChange } from "../../turns/slack-message.ts";
import type { Delivery, ListenerContext } from "./listener.ts";
import { stopIn } from "./stop.ts";

/** Somebody has edited or deleted what they had written. An edit never carries out a command. */
export async function changed(change: MessageChange, { installation, body }: Delivery, { control }: ListenerContext): Promise<void> {
  const { tenant, botUserId } = installation;
  const { message } = change;
  const at = { channel: channelId(message.channel), ts: messageTs(message.ts), person: personId(message.user) };
  if (change.kind === "deleted") {
    const eventId = String((body as { event_id?: unknown } | null)?.event_id ?? "");
    return control.deleted(tenant, { ...at, thread: messageTs(message.thread_ts ?? message.ts), eventId });
  }
  if (commandIn(message, botUserId) || stopIn(message, botUserId)) return;
  await control.edited(tenant, { ...at, text: message.text ?? "", editedTs: messageTs(change.editedTs) });
}
