import type { Clock } from "../../src/core/clock.ts";
import type { SeedRole } from "./seed.ts";

/** The app's id, the same in every workspace as for any distributed Slack app. */
export const appId = "A0FOOTNOTE1";

/** Any JSON object, as the Web API takes and gives them. */
export type Json = Record<string, unknown>;

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  role: SeedRole;
  /** The workspace the person belongs to; another one than the workspace that shows them when they are a stranger. */
  readonly teamId: string;
  readonly timeZone: string;
  /** Slack tells it only when asked with include_locale. */
  locale: string;
  /** Set for bots. */
  readonly botId?: string;
  deactivated: boolean;
}

/** One state a message was ever in. Everything a reader could have seen, and a link preview fetched, is in here. */
export interface Revision {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  /** Milliseconds on the fake's monotonic clock. */
  readonly at: number;
  /** False only if the writer switched both link and media previews off. */
  readonly unfurls: boolean;
}

export interface Stream {
  state: "in_progress" | "completed" | "stopped_by_user";
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** UTF-8 bytes sent so far. */
  bytes: number;
}

export interface Message {
  readonly ts: string;
  readonly channelId: string;
  /** The workspace of the author. */
  readonly teamId: string;
  readonly threadTs?: string;
  readonly userId: string;
  readonly botId?: string;
  readonly clientMsgId?: string;
  readonly subtype?: string;
  /** Only this person sees the message. */
  readonly ephemeralTo?: string;
  text: string;
  blocks: readonly Json[];
  attachments: readonly Json[];
  metadata?: Json;
  /** As Slack gives them with the message. */
  readonly files?: readonly Json[];
  unfurls: boolean;
  edited?: { readonly user: string; readonly ts: string };
  deleted: boolean;
  readonly reactions: Map<string, Set<string>>;
  stream?: Stream;
  readonly revisions: Revision[];
}

/** Somebody at a place. Names or ids; a channel may also be "direct", the person's conversation with the bot. */
export interface At {
  /** Name of the workspace. */
  readonly workspace: string;
  /** Handle of the person (or other bot) who acts. */
  readonly as: string;
  readonly channel: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  kind: "public" | "private" | "direct";
  /** The workspace that owns the channel. */
  readonly hostTeamId: string;
  /** Every workspace that shows it; more than one with Slack Connect. */
  readonly teamIds: readonly string[];
  connect: "none" | "shared" | "pending" | "organisation";
  topic: string;
  archived: boolean;
  /** Seconds since 1970. */
  readonly created: number;
  readonly creator: string;
  /** User ids, the bot's included. */
  readonly members: Set<string>;
  /** In the order of their ts. */
  readonly messages: Message[];
  /** What the bot says it is doing, by the thread it says so in. */
  readonly statuses: Map<string, string>;
  /** Of a direct message: the names of its threads, and the questions that are offered in it. */
  readonly titles: Map<string, string>;
  prompts?: { readonly title: string; readonly prompts: readonly { readonly title: string; readonly message: string }[] };
}

export interface View {
  readonly id: string;
  readonly userId: string;
  readonly rootId: string;
  readonly previousId: string | null;
  hash: string;
  body: Json;
}

export interface Workspace {
  readonly name: string;
  readonly title: string;
  readonly teamId: string;
  readonly enterprise?: { readonly id: string; readonly name: string };
  readonly bot: Person;
  readonly botId: string;
  readonly botToken: string;
  readonly scopes?: readonly string[];
  /** False after auth.revoke or an uninstallation. */
  installed: boolean;
  /** Whether its organisation has installed the app for it. */
  throughOrganisation?: boolean;
  readonly people: Map<string, Person>;
  readonly channels: Map<string, Channel>;
  readonly userGroups: readonly { readonly id: string; readonly handle: string; readonly members: readonly string[] }[];
  readonly files: Map<string, Json>;
  /** What is in the files that people have dropped, by id. */
  readonly fileBytes: Map<string, Uint8Array>;
  readonly views: Map<string, View>;
  /** App Home by user id. */
  readonly homes: Map<string, View>;
}

/** Something that happened; events, the page and waiting tests all follow these. */
export type Change =
  | { readonly type: "message-posted"; readonly workspace: Workspace; readonly channel: Channel; readonly message: Message }
  | {
      readonly type: "message-changed";
      readonly workspace: Workspace;
      readonly channel: Channel;
      readonly message: Message;
      /** The message as it was, in Slack's form. */
      readonly previous: Json;
    }
  | {
      readonly type: "message-deleted";
      readonly workspace: Workspace;
      readonly channel: Channel;
      readonly message: Message;
      readonly previous: Json;
    }
  | {
      readonly type: "status";
      readonly workspace: Workspace;
      readonly channel: Channel;
      readonly threadTs: string;
      readonly status: string;
      readonly loadingMessages: readonly string[];
    }
  /** An event of the Events API that is no message: reactions, joins, uninstallation. */
  | { readonly type: "event"; readonly workspace: Workspace; readonly channel?: Channel; readonly event: Json }
  /** Somebody's modals or App Home changed. */
  | { readonly type: "view"; readonly workspace: Workspace; readonly userId: string }
  /** A call was answered, a delivery acknowledged: nothing for readers, but tests may wait for it. */
  | { readonly type: "record" };

/** The whole fake Slack's memory, and the news of every change to it. */
export class State {
  readonly clock: Clock;
  readonly workspaces: readonly Workspace[];
  /** How many records of each kind are kept. */
  readonly keep: number;
  readonly #listeners = new Set<(change: Change) => void>();
  #lastMicros = 0;

  constructor(clock: Clock, workspaces: readonly Workspace[], keep: number) {
    this.clock = clock;
    this.workspaces = workspaces;
    this.keep = keep;
  }

  /** A message timestamp (seconds.microseconds): never the same twice, always rising. */
  nextTs(): string {
    this.#lastMicros = Math.max(this.clock.now().getTime() * 1000, this.#lastMicros + 100);
    const digits = String(this.#lastMicros);
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }

  /** @returns a function that ends the subscription */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  workspaceOfTeam(teamId: string): Workspace | undefined {
    return this.workspaces.find((workspace) => workspace.teamId === teamId);
  }
}

export const isMember = (channel: Channel, userId: string): boolean => channel.members.has(userId);

/** A person as this workspace sees them: its own, or a stranger who shares a channel with it. */
export function personIn(state: State, workspace: Workspace, userId: string): Person | undefined {
  const own = workspace.people.get(userId);
  if (own) return own;
  for (const other of state.workspaces) {
    const stranger = other.people.get(userId);
    if (!stranger) continue;
    for (const channel of workspace.channels.values()) {
      if (channel.teamIds.includes(other.teamId) && channel.members.has(userId)) return stranger;
    }
  }
  return undefined;
}
