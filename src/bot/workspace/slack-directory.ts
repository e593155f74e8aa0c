import type { WebClient } from "@slack/web-api";
import type { Clock } from "../../core/clock.ts";
import { type ChannelId, channelId, type PersonId, personId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Directory, NamedChannel, Person, Place } from "../../permissions/directory.ts";
import { atLeast, type SlackUserFlags, standingOf, takesPart } from "../../permissions/roles.ts";
import { Remembered } from "./remembered.ts";
import { SlackReader, slackErrorCode } from "./slack-reader.ts";

/** How old an answer may be. Somebody who loses a role or leaves a channel keeps their rights no longer than this. */
const freshMs = 60_000;

interface SlackUser extends SlackUserFlags {
  readonly name?: string;
  readonly real_name?: string;
  readonly tz?: string;
  readonly locale?: string;
  readonly profile?: { readonly display_name?: string; readonly real_name?: string };
}

interface SlackChannel {
  readonly id: string;
  readonly name?: string;
  readonly is_im?: boolean;
  readonly is_mpim?: boolean;
  readonly is_private?: boolean;
  readonly is_archived?: boolean;
  readonly is_ext_shared?: boolean;
  readonly is_pending_ext_shared?: boolean;
  readonly pending_shared?: readonly string[];
  readonly pending_connected_team_ids?: readonly string[];
  readonly is_org_shared?: boolean;
}

type Readers = Pick<Place, "guests" | "outsiders" | "readers" | "groups">;

/** A user group with who is in it. */
export interface UserGroup {
  readonly id: string;
  readonly name: string;
  readonly members: ReadonlySet<string>;
}

interface SlackUserGroup {
  readonly id: string;
  readonly name?: string;
  readonly date_delete?: number;
  readonly users?: readonly string[];
}

/** In larger channels nobody looks for groups that everybody is in. */
const fewReaders = 100;

/** An app that was installed without the right to user groups goes on without them; any other failure is one. */
function withoutGroups(error: unknown): object {
  if (slackErrorCode(error) === "missing_scope") return {};
  throw error;
}

/**
 * One workspace's people and places over Slack's Web API. What Slack does not say is never taken for permission: an unreadable
 * person is nobody, an unreadable list of members is "unknown".
 */
export class SlackDirectory implements Directory {
  readonly #slack: SlackReader;
  readonly #teamId: string;
  readonly #log: Logger;
  readonly #people = new Remembered<SlackUser | undefined>({ max: 10_000, freshMs });
  readonly #everyone = new Remembered<ReadonlyMap<string, SlackUser>>({ max: 1, freshMs });
  readonly #channels = new Remembered<SlackChannel | undefined>({ max: 2_000, freshMs });
  readonly #readers = new Remembered<Readers>({ max: 2_000, freshMs });
  readonly #named = new Remembered<readonly SlackChannel[]>({ max: 1, freshMs });
  readonly #memberships = new Remembered<readonly SlackChannel[]>({ max: 10_000, freshMs });
  readonly #groups = new Remembered<readonly UserGroup[]>({ max: 1, freshMs });
  readonly #directs = new Remembered<ChannelId>({ max: 10_000, freshMs });

  /** @param teamId the workspace in which people are at home; everybody else is an outsider */
  constructor(client: WebClient, { teamId, clock, log }: { readonly teamId: string; readonly clock: Clock; readonly log: Logger }) {
    this.#slack = new SlackReader(client, clock);
    this.#teamId = teamId;
    this.#log = log;
  }

  async person(id: PersonId): Promise<Person | undefined> {
    const user = await this.#unlessUnreadable("users.info", this.#user(id));
    return user && this.#toPerson(user);
  }

  /** Asked of Slack at this moment: for deciding what somebody may change. Undefined also when Slack cannot tell. */
  async personNow(id: PersonId): Promise<Person | undefined> {
    const user = await this.#unlessUnreadable("users.info", this.#lookUpUser(id));
    return user && this.#toPerson(user);
  }

  async place(id: ChannelId): Promise<Place | undefined> {
    // Who reads along will be asked next, except in direct messages: that call need not wait for this one.
    const readers = id.startsWith("D") ? undefined : this.#readersOf(id);
    readers?.catch(() => undefined);
    const channel = await this.#unlessUnreadable("conversations.info", this.#channel(id));
    return channel && this.#toPlace(channel, readers);
  }

  /** Asked of Slack at this moment, people's roles aside. */
  placeNow(id: ChannelId): Promise<Place | undefined> {
    this.forget(id);
    return this.place(id);
  }

  /** Something about a place has changed: whoever asks next is answered anew. */
  forget(id: ChannelId): void {
    this.#channels.forget(id);
    this.#readers.forget(id);
  }

  /** The channel's name, without looking at its members. */
  async channelName(id: ChannelId): Promise<string | undefined> {
    return (await this.#unlessUnreadable("conversations.info", this.#channel(id)))?.name;
  }

  async channelsOf(id: PersonId): Promise<readonly ChannelId[]> {
    return (await this.#membershipsOf(id)).map((channel) => channelId(channel.id));
  }

  /** Public and private channels that somebody is in, by name, as far as the bot can see. */
  async namedChannelsOf(id: PersonId): Promise<readonly NamedChannel[]> {
    const named = (await this.#membershipsOf(id)).filter(
      ({ name, is_mpim, is_archived }) => name !== undefined && !is_mpim && !is_archived,
    );
    return named.map(({ id: channel, name = "" }) => ({ id: channelId(channel), name })).sort((a, b) => a.name.localeCompare(b.name));
  }

  async #membershipsOf(id: PersonId): Promise<readonly SlackChannel[]> {
    const types = "public_channel,private_channel,mpim";
    const look = () => this.#slack.list<SlackChannel>("users.conversations", { user: id, types });
    return (await this.#unlessUnreadable("users.conversations", this.#memberships.get(id, look))) ?? [];
  }

  async groupsOf(id: PersonId): Promise<readonly string[]> {
    return (await this.userGroups()).filter(({ members }) => members.has(id)).map((group) => group.id);
  }

  /** The workspace's user groups, by name; none where the app may not know them. */
  async userGroups(): Promise<readonly UserGroup[]> {
    const look = async () => {
      const { usergroups = [] } = (await this.#slack
        .call("usergroups.list", { include_users: true })
        .catch((error: unknown) => withoutGroups(error))) as { usergroups?: readonly SlackUserGroup[] };
      return usergroups
        .filter(({ date_delete }) => !date_delete)
        .map(({ id, name, users }) => ({ id, name: name ?? id, members: new Set(users) }));
    };
    return (await this.#unlessUnreadable("usergroups.list", this.#groups.get("", look))) ?? [];
  }

  /** Those who administer the workspace; none when Slack cannot tell. */
  async admins(): Promise<readonly Person[]> {
    const everyone = await this.#unlessUnreadable("users.list", this.#roster());
    return [...(everyone?.values() ?? [])]
      .map((user) => this.#toPerson(user))
      .filter((person) => takesPart(person) && atLeast(person.role, "admin"));
  }

  async findPerson(name: string): Promise<Person | undefined> {
    const handle = name.replace(/^@/, "");
    const everyone = await this.#unlessUnreadable("users.list", this.#roster());
    const named = [...(everyone?.values() ?? [])].filter((user) => user.name === handle).map((user) => this.#toPerson(user));
    // Somebody of another organisation, or a closed account, may have the same handle: a grant to alice is not for that one.
    return named.find(takesPart) ?? named[0];
  }

  async findChannel(name: string): Promise<Place | undefined> {
    const bare = name.replace(/^#/, "");
    const look = () =>
      this.#slack.list<SlackChannel>("conversations.list", { types: "public_channel,private_channel", exclude_archived: true });
    const channels = await this.#unlessUnreadable("conversations.list", this.#named.get("", look));
    const channel = channels?.find((channel) => channel.name === bare);
    return channel && this.place(channelId(channel.id));
  }

  /** Rejects when Slack does not open it. */
  directMessage(id: PersonId): Promise<ChannelId> {
    return this.#directs.get(id, async () => {
      const { channel } = (await this.#slack.call("conversations.open", { users: id })) as { channel: SlackChannel };
      return channelId(channel.id);
    });
  }

  /** From the list of everybody, when that was read within the same time: one call then serves all who ask. */
  async #user(id: PersonId): Promise<SlackUser | undefined> {
    const listed = (await this.#everyone.known("", () => this.#listEveryone())?.catch(() => undefined))?.get(id);
    if (listed) return listed;
    return this.#people.get(id, () => this.#lookUpUser(id));
  }

  #lookUpUser(id: PersonId): Promise<SlackUser | undefined> {
    return this.#unlessAbsent(this.#slack.call("users.info", { user: id, include_locale: true }), ({ user }) => user as SlackUser, [
      "user_not_found",
      "user_not_visible",
    ]);
  }

  #channel(id: ChannelId): Promise<SlackChannel | undefined> {
    return this.#channels.get(id, async () =>
      this.#unlessAbsent(this.#slack.call("conversations.info", { channel: id }), ({ channel }) => channel as SlackChannel, [
        "channel_not_found",
      ]),
    );
  }

  #roster(): Promise<ReadonlyMap<string, SlackUser>> {
    return this.#everyone.get("", () => this.#listEveryone());
  }

  async #listEveryone(): Promise<ReadonlyMap<string, SlackUser>> {
    return new Map((await this.#slack.list<SlackUser>("users.list", { include_locale: true })).map((user) => [user.id, user]));
  }

  async #toPlace(channel: SlackChannel, asked: Promise<Readers> | undefined): Promise<Place> {
    const kind = channel.is_im ? "direct" : channel.is_mpim ? "group" : channel.is_private ? "private" : "public";
    const readers =
      kind === "direct" ? undefined : await this.#unlessUnreadable("conversations.members", asked ?? this.#readersOf(channel.id));
    return {
      id: channelId(channel.id),
      name: channel.name ?? (kind === "direct" ? "direct message" : channel.id),
      kind,
      // A direct message has two readers, the asker and the bot.
      ...(readers?.readers !== undefined && { readers: readers.readers }),
      ...(kind === "private" && readers?.groups && readers.groups.length > 0 && { groups: readers.groups }),
      guests: kind === "direct" ? "none" : (readers?.guests ?? "unknown"),
      outsiders: outsidersIn(channel, readers),
    };
  }

  #readersOf(channel: string): Promise<Readers> {
    return this.#readers.get(channel, async () => {
      const [members, roster] = await Promise.all([this.#slack.list<string>("conversations.members", { channel }), this.#roster()]);
      const ids = members.filter((id) => !roster.get(id)?.is_bot);
      const roles = ids.map((id) => {
        const user = roster.get(id);
        return user && standingOf(user, this.#teamId).role;
      });
      const some = (role: "guest" | "outsider") => (roles.includes(role) ? "some" : roles.includes(undefined) ? "unknown" : "none");
      const few = ids.length > 0 && ids.length <= fewReaders;
      const groups = few ? (await this.userGroups()).filter((group) => ids.every((id) => group.members.has(id))) : [];
      return { guests: some("guest"), outsiders: some("outsider"), readers: ids.length, groups: groups.map(({ id }) => id) };
    });
  }

  #toPerson(user: SlackUser): Person {
    const name = user.name ?? user.id;
    return {
      id: personId(user.id),
      name,
      displayName: user.profile?.display_name || user.profile?.real_name || user.real_name || name,
      ...standingOf(user, this.#teamId),
      ...(user.team_id ? { teamId: user.team_id } : {}),
      ...(user.tz ? { timeZone: user.tz } : {}),
      ...(user.locale ? { locale: user.locale } : {}),
    };
  }

  async #unlessAbsent<T>(
    call: Promise<Readonly<Record<string, unknown>>>,
    read: (answer: Readonly<Record<string, unknown>>) => T,
    absent: readonly string[],
  ): Promise<T | undefined> {
    try {
      return read(await call);
    } catch (error) {
      if (absent.includes(slackErrorCode(error) ?? "")) return undefined;
      throw error;
    }
  }

  async #unlessUnreadable<T>(method: string, look: Promise<T>): Promise<T | undefined> {
    try {
      return await look;
    } catch (error) {
      this.#log.warn("Slack could not be asked about people or channels.", { method, code: slackErrorCode(error) ?? "unreachable" });
      return undefined;
    }
  }
}

function outsidersIn(channel: SlackChannel, readers: Readers | undefined): Place["outsiders"] {
  if (isShared(channel)) return "some";
  if (channel.is_im) return "none";
  const known = readers?.outsiders ?? "unknown";
  // Colleagues of another workspace of the same organisation are in none of this one's rosters, and may read only what the channel may.
  return channel.is_org_shared && known === "none" ? "unknown" : known;
}

/** Whether another organisation reads along, or is invited to. */
const isShared = (channel: SlackChannel): boolean =>
  Boolean(channel.is_ext_shared || channel.is_pending_ext_shared) ||
  (channel.pending_shared?.length ?? 0) > 0 ||
  (channel.pending_connected_team_ids?.length ?? 0) > 0;
