import type { ThreadMessage } from "../../agent/ports.ts";
import { type ChannelId, type MessageTs, messageTs, type PersonId, personId } from "../../core/ids.ts";
import type { SlackReader } from "../workspace/slack-reader.ts";
import { notByAPerson, readMessage } from "./slack-message.ts";

/** Messages taken from a thread that began without the bot. */
const wanted = 50;
/** Slack lists a thread from its beginning, so the newest are reached by asking for later parts only: a day, a month, all of it. */
const windowsSeconds = [86_400, 30 * 86_400, Number.POSITIVE_INFINITY] as const;
const pageSize = 200;
const pagesPerWindow = 10;

/** What people said in a thread before `before`: the newest messages, oldest first, in Slack's form. Rejects when Slack refuses. */
export async function earlierMessages(
  slack: SlackReader,
  at: { readonly channel: ChannelId; readonly thread: MessageTs; readonly before: MessageTs; readonly bot: PersonId },
): Promise<readonly ThreadMessage[]> {
  let found: readonly ThreadMessage[] = [];
  for (const seconds of windowsSeconds) {
    const { messages, start } = await readWindow(slack, at, seconds);
    found = messages;
    if (start || messages.length >= wanted) break;
  }
  return found.slice(-wanted);
}

async function readWindow(
  slack: SlackReader,
  { channel, thread, before, bot }: { channel: ChannelId; thread: MessageTs; before: MessageTs; bot: PersonId },
  seconds: number,
): Promise<{ messages: readonly ThreadMessage[]; start: boolean }> {
  // Timestamps stay strings; only the beginning of the window is reckoned, in whole seconds.
  const oldest = Math.floor(Number(before.split(".")[0])) - seconds;
  const start = oldest <= Number(thread.split(".")[0]);
  const messages: ThreadMessage[] = [];
  let cursor = "";
  for (let page = 0; page < pagesPerWindow; page += 1) {
    const answer = await slack.call("conversations.replies", {
      channel,
      ts: thread,
      latest: before,
      limit: pageSize,
      ...(start ? {} : { oldest: `${oldest}.000000` }),
      ...(cursor ? { cursor } : {}),
    });
    for (const raw of (answer.messages as object[] | undefined) ?? []) {
      const message = readMessage({ ...raw, channel });
      // An edited message counts here as it is now.
      if (!message || message.ts === before || notByAPerson({ ...message, edited: undefined }, bot)) continue;
      messages.push({ ts: messageTs(message.ts), author: "person", person: personId(message.user), text: message.text ?? "" });
    }
    cursor = (answer.response_metadata as { next_cursor?: string } | undefined)?.next_cursor ?? "";
    if (!cursor) break;
  }
  return { messages, start };
}
