/** Who and what exists in the fake Slack when it starts. Names are what tests and the page use; ids follow from the names. */
export interface SlackSeed {
  readonly workspaces: readonly WorkspaceSeed[];
}

/** owner, admin and member are full members; a guest sees only the channels they were put in. */
export type SeedRole = "owner" | "admin" | "member" | "guest" | "single-channel-guest";

export interface PersonSeed {
  /** The handle, without @. */
  readonly name: string;
  readonly displayName?: string;
  readonly role?: SeedRole;
  readonly deactivated?: boolean;
  /** IANA time zone. */
  readonly timeZone?: string;
  /** Language and region, e.g. "de-DE"; "en-US" unless given. */
  readonly locale?: string;
  /** Team id of another organisation: makes this person a stranger (Slack Connect), whatever the role says. */
  readonly homeTeamId?: string;
  /** Forces the user id, for instance to have equal ids in two workspaces. */
  readonly id?: string;
}

/** A bot of somebody else, which can post like a person does. */
export interface OtherBotSeed {
  readonly name: string;
  readonly id?: string;
}

export interface ChannelSeed {
  /** The name, without #. */
  readonly name: string;
  readonly private?: boolean;
  readonly topic?: string;
  /** Handles of this workspace, or `workspace/handle` for somebody of a workspace the channel is shared with. */
  readonly members: readonly string[];
  /** Whether the bot is in the channel; true unless said otherwise. */
  readonly bot?: boolean;
  readonly archived?: boolean;
  /** Names of seeded workspaces this channel is shared with over Slack Connect; it has the same id in all of them. */
  readonly sharedWith?: readonly string[];
  /** Shared with an organisation that is not seeded (is_ext_shared), invited but not accepted yet, or with another workspace of the same one (is_org_shared). */
  readonly connect?: "shared" | "pending" | "organisation";
  readonly id?: string;
}

export interface WorkspaceSeed {
  /** Short name, also the domain. */
  readonly name: string;
  readonly title: string;
  readonly people: readonly PersonSeed[];
  readonly channels: readonly ChannelSeed[];
  readonly otherBots?: readonly OtherBotSeed[];
  /** The Enterprise Grid organisation the workspace belongs to. */
  readonly enterprise?: { readonly id: string; readonly name: string };
  /** User groups: handle and handles of its people. */
  readonly userGroups?: readonly { readonly handle: string; readonly members: readonly string[] }[];
  readonly teamId?: string;
  readonly botUserId?: string;
  readonly botToken?: string;
  /** What the bot's token may do; everything when absent. A missing scope is answered as Slack does. */
  readonly scopes?: readonly string[];
}

const people: readonly PersonSeed[] = [
  { name: "alice", displayName: "Alice Ames", role: "admin", timeZone: "Europe/Berlin" },
  { name: "bob", displayName: "Bob Brandt", role: "member", timeZone: "Europe/Berlin" },
  { name: "gina", displayName: "Gina Green", role: "guest", timeZone: "America/New_York" },
];

/**
 * The same names in every workspace on purpose: whoever mixes tenants up gives a wrong answer here.
 *
 * | channel       |         | alice (admin) | bob (member) | gina (guest) | bot |
 * |---------------|---------|---------------|--------------|--------------|-----|
 * | general       | public  | yes           | yes          | no           | yes |
 * | people-ops    | public  | yes           | yes          | no           | yes |
 * | board         | private | yes           | no           | no           | yes |
 * | guest-project | public  | yes           | yes          | yes          | yes |
 *
 * Gina is not in general: a guest there would rule out workspace-wide documents for everybody who asks in it.
 * guest-project shows exactly that rule.
 */
const channels: readonly ChannelSeed[] = [
  { name: "general", topic: "Company-wide news and questions", members: ["alice", "bob"] },
  { name: "people-ops", topic: "Leave, benefits, hiring", members: ["alice", "bob"] },
  { name: "board", private: true, topic: "Board matters", members: ["alice"] },
  { name: "guest-project", topic: "Work with our guests", members: ["alice", "bob", "gina"] },
];

/** The two companies of the playground, equal in every name. */
export const defaultSeed: SlackSeed = {
  workspaces: [
    { name: "acme", title: "Acme", people, channels },
    { name: "globex", title: "Globex", people, channels },
  ],
};
