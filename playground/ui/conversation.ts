import type { ConversationEvent, Message } from "./page-api.ts";

/** Which messages a list shows: a channel's top level, or one thread. */
export interface Scope {
  /** Channel id, or "direct": then every event of a channel that is not listed in the workspace belongs here. */
  readonly inChannel: (channelId: string) => boolean;
  readonly thread?: string;
}

const byTs = (left: Message, right: Message): number => (left.ts < right.ts ? -1 : left.ts > right.ts ? 1 : 0);

const isReply = (message: Partial<Message>): boolean => message.threadTs !== undefined && message.threadTs !== message.ts;

/** Whether a message stands in the list: top-level ones in a channel, the first message and its replies in a thread. */
function belongs(message: Message, thread: string | undefined): boolean {
  return thread === undefined ? !isReply(message) : message.ts === thread || message.threadTs === thread;
}

/** The messages as the server told them, without those of another list. */
export const arrange = (messages: readonly Message[], thread?: string): readonly Message[] =>
  messages.filter((message) => belongs(message, thread)).toSorted(byTs);

/** The list after an event; the same list when the event is not about it. An event that comes twice changes nothing. */
export function applyEvent(messages: readonly Message[], event: ConversationEvent, scope: Scope): readonly Message[] {
  const { ts } = event.message;
  if (event.type === "status" || !ts || !scope.inChannel(event.channel)) return messages;
  if (event.type === "deleted") return messages.some((known) => known.ts === ts) ? messages.filter((known) => known.ts !== ts) : messages;
  const message = event.message as Message;
  const shown = event.type === "ephemeral" ? { ...message, ephemeral: true } : message;
  if (messages.some((known) => known.ts === ts)) return messages.map((known) => (known.ts === ts ? { ...known, ...shown } : known));
  if (belongs(shown, scope.thread)) return [...messages, shown].toSorted(byTs);
  if (event.type !== "message") return messages;
  return messages.map((known) => (known.ts === message.threadTs ? { ...known, replyCount: (known.replyCount ?? 0) + 1 } : known));
}
