import { randomUUID } from "node:crypto";
import { messageJson } from "./shapes.ts";
import type { Channel, Json, Message, Person, State, Workspace } from "./state.ts";

/** What a new message says. */
export interface Draft {
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
  readonly threadTs?: string;
  readonly metadata?: Json;
  readonly files?: readonly Json[];
  /** False only if both preview flags were false. */
  readonly unfurls?: boolean;
  readonly ephemeralTo?: string;
  readonly subtype?: string;
}

/** Stores a message and tells everybody. An ephemeral one is stored for its reader alone. */
export function storeMessage(state: State, workspace: Workspace, channel: Channel, author: Person, draft: Draft): Message {
  const message: Message = {
    ts: state.nextTs(),
    channelId: channel.id,
    teamId: author.teamId,
    ...(draft.threadTs && { threadTs: rootOf(channel, draft.threadTs) }),
    userId: author.id,
    ...(author.botId ? { botId: author.botId } : { clientMsgId: randomUUID() }),
    ...(draft.subtype && { subtype: draft.subtype }),
    ...(draft.ephemeralTo && { ephemeralTo: draft.ephemeralTo }),
    text: draft.text,
    blocks: draft.blocks ?? [],
    attachments: draft.attachments ?? [],
    ...(draft.metadata && { metadata: draft.metadata }),
    ...(draft.files && { files: draft.files }),
    unfurls: draft.unfurls ?? true,
    deleted: false,
    reactions: new Map(),
    revisions: [],
  };
  remember(state, message);
  channel.messages.push(message);
  if (author === workspace.bot && message.threadTs) clearStatus(state, workspace, channel, message.threadTs);
  state.announce({ type: "message-posted", workspace, channel, message });
  return message;
}

/** A post of the bot takes away what its status in the thread said; an edit does not. */
function clearStatus(state: State, workspace: Workspace, channel: Channel, threadTs: string): void {
  if (channel.statuses.delete(threadTs)) state.announce({ type: "status", workspace, channel, threadTs, status: "", loadingMessages: [] });
}

/** Applies a change to a message, keeps the new state as a revision and tells everybody. */
export function changeMessage(
  state: State,
  workspace: Workspace,
  channel: Channel,
  message: Message,
  change: Partial<Pick<Message, "text" | "blocks" | "attachments" | "metadata" | "unfurls" | "edited" | "stream">>,
): void {
  const previous = messageJson(workspace, channel, message);
  Object.assign(message, change);
  remember(state, message);
  state.announce({ type: "message-changed", workspace, channel, message, previous });
}

/** Takes a message away from every reader. Its revisions stay for tests. */
export function deleteMessage(state: State, workspace: Workspace, channel: Channel, message: Message): void {
  const previous = messageJson(workspace, channel, message);
  message.deleted = true;
  state.announce({ type: "message-deleted", workspace, channel, message, previous });
}

function remember(state: State, message: Message): void {
  const { text, blocks, attachments, unfurls } = message;
  message.revisions.push({ text, blocks, attachments, unfurls, at: state.clock.monotonic() });
  if (message.revisions.length > state.keep) message.revisions.shift();
}

/** The message with this ts that everybody in the channel may see. */
export const messageAt = (channel: Channel, ts: string): Message | undefined =>
  channel.messages.find((message) => message.ts === ts && !message.deleted && !message.ephemeralTo);

/** A reply to a reply belongs to the same thread, as Slack has no nested threads. */
function rootOf(channel: Channel, threadTs: string): string {
  return messageAt(channel, threadTs)?.threadTs ?? threadTs;
}

/** A thread's root (if it still exists) and replies, oldest first, without ephemeral ones. */
export const threadOf = (channel: Channel, threadTs: string): readonly Message[] =>
  channel.messages.filter(
    (message) => !message.deleted && !message.ephemeralTo && (message.ts === threadTs || message.threadTs === threadTs),
  );
