import type { Channel, Message, Person, State, Workspace } from "./state.ts";

/** A workspace as the page lists it, with everybody one can be and every channel there is. */
export interface PageWorkspace {
  readonly name: string;
  readonly title: string;
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly displayName: string;
    readonly role: string;
    /** Ids of the channels the person is in, without direct messages. */
    readonly channels: readonly string[];
  }[];
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly private: boolean;
    readonly topic: string;
    /** User ids. */
    readonly members: readonly string[];
  }[];
  readonly bot: { readonly id: string; readonly name: string };
}

/** A message as the page shows it. `text` and `blocks` are in Slack's markup. */
export interface PageMessage {
  readonly ts: string;
  /** Of replies, the ts of the thread's root. */
  readonly threadTs?: string;
  readonly userId: string;
  readonly botId?: string;
  readonly text: string;
  readonly blocks: Message["blocks"];
  /** Files that came with it. */
  readonly files?: readonly { readonly name: string; readonly kind: string; readonly bytes: number }[];
  readonly edited: boolean;
  readonly replyCount: number;
  /** Only the person who is looking sees it. */
  readonly ephemeral?: true;
  /** Of streamed messages, whether more text is coming. */
  readonly streaming?: boolean;
}

/** What the page hears of while it is open. */
export type PageEvent =
  /** Modals or App Home are others now. */
  | { readonly type: "view" }
  | { readonly type: "message" | "changed" | "deleted" | "ephemeral"; readonly channel: string; readonly message: PageMessage }
  | {
      readonly type: "status";
      readonly channel: string;
      /** An empty status takes the old one away. */
      readonly message: { readonly threadTs: string; readonly status: string; readonly loadingMessages: readonly string[] };
    };

export function pageWorkspace(workspace: Workspace): PageWorkspace {
  const channels = [...workspace.channels.values()].filter((channel) => channel.kind !== "direct" && !channel.archived);
  const people = [...workspace.people.values()].filter(
    (person) => !person.botId && !person.deactivated && person.teamId === workspace.teamId,
  );
  return {
    name: workspace.name,
    title: workspace.title,
    people: people.map(({ id, name, displayName, role }) => ({
      id,
      name,
      displayName,
      role,
      channels: channels.filter((channel) => channel.members.has(id)).map((channel) => channel.id),
    })),
    channels: channels.map(({ id, name, kind, topic, members }) => ({
      id,
      name,
      private: kind === "private",
      topic,
      members: [...members],
    })),
    bot: { id: workspace.bot.id, name: workspace.bot.name },
  };
}

export function pageMessage(channel: Channel, message: Message): PageMessage {
  const replies = channel.messages.filter(
    (reply) => reply.threadTs === message.ts && reply.ts !== message.ts && !reply.deleted && !reply.ephemeralTo,
  );
  return {
    ts: message.ts,
    ...(message.threadTs && { threadTs: message.threadTs }),
    userId: message.userId,
    ...(message.botId && { botId: message.botId }),
    text: message.text,
    blocks: message.blocks,
    ...(message.files && {
      files: message.files.map(({ name, pretty_type, size }) => ({ name: String(name), kind: String(pretty_type), bytes: Number(size) })),
    }),
    edited: message.edited !== undefined,
    replyCount: replies.length,
    ...(message.ephemeralTo && { ephemeral: true as const }),
    ...(message.stream && { streaming: message.stream.state === "in_progress" }),
  };
}

/**
 * Whether a person may read a channel here: its members always, and full members every public channel. Guests and people of
 * other organisations see only the channels they are in.
 */
export function mayRead(state: State, workspace: Workspace, person: Person, channel: Channel): boolean {
  if (person.deactivated || workspace.channels.get(channel.id) !== channel || !state.workspaces.includes(workspace)) return false;
  if (channel.members.has(person.id)) return true;
  const fullMember = person.teamId === workspace.teamId && person.role !== "guest" && person.role !== "single-channel-guest";
  return channel.kind === "public" && fullMember;
}
