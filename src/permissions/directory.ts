import type { ChannelId, PersonId } from "../core/ids.ts";

/** From most to least trusted. An outsider belongs to another organisation (Slack Connect). */
export type Role = "owner" | "admin" | "member" | "guest" | "outsider";

/** What an owner may let a member do beside what Slack's own roles allow. */
export type AppRole = "template-editor" | "tool-manager" | "knowledge-editor" | "auditor";

/** A role that somebody was given, for a while. */
export interface GrantedRole {
  readonly role: AppRole;
  /** Absent: in the whole workspace. */
  readonly channel?: ChannelId;
  /** From this moment on it counts for nothing. */
  readonly until: Date;
}

/** Somebody of a workspace, as Slack describes them. */
export interface Person {
  readonly id: PersonId;
  /** The handle people use, without @. */
  readonly name: string;
  readonly displayName: string;
  readonly role: Role;
  readonly isBot: boolean;
  readonly deactivated: boolean;
  /** Their own workspace as Slack numbers it, when known; another than ours for people of other organisations. */
  readonly teamId?: string;
  /** IANA time zone, when known. */
  readonly timeZone?: string;
  /** Language and region as they have set them in Slack, e.g. "de-DE", when known. */
  readonly locale?: string;
  /** Not Slack's word but the workspace's: what counted when it was looked up, which is each time somebody changes or is shown something. */
  readonly granted?: readonly GrantedRole[];
}

/** A conversation and what must be known of its readers to decide who sees an answer there. */
export interface Place {
  readonly id: ChannelId;
  readonly name: string;
  readonly kind: "public" | "private" | "group" | "direct";
  /** Whether a guest can read it. "unknown" when Slack could not tell completely. */
  readonly guests: "none" | "some" | "unknown";
  /**
   * Whether people of another organisation can read it (shared, or about to be). "unknown" when Slack could not tell completely, and where
   * another workspace of the same organisation reads along.
   */
  readonly outsiders: "none" | "some" | "unknown";
  /** Of a private channel with few readers: the user groups that every one of them is in, when known. */
  readonly groups?: readonly string[];
  /** How many people are in it, bots aside, when known. */
  readonly readers?: number;
}

/** A channel by its name. */
export interface NamedChannel {
  readonly id: ChannelId;
  readonly name: string;
}

/** What Slack says about one workspace's people and places. Bound to one tenant. Unknown ids give undefined. */
export interface Directory {
  person(id: PersonId): Promise<Person | undefined>;
  place(id: ChannelId): Promise<Place | undefined>;
  /** The channels a person is in, as far as the bot can see. Direct messages are not listed. */
  channelsOf(id: PersonId): Promise<readonly ChannelId[]>;
  /** The user groups that a person is in, by Slack's ids. Absent where groups are not known. */
  groupsOf?(id: PersonId): Promise<readonly string[]>;
  /** By handle, exactly (a leading @ is allowed). */
  findPerson(name: string): Promise<Person | undefined>;
  /** By name, exactly (a leading # is allowed). */
  findChannel(name: string): Promise<Place | undefined>;
  /** The direct-message conversation between the bot and a person. */
  directMessage(id: PersonId): Promise<ChannelId>;
}
