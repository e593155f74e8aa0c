import { createHash } from "node:crypto";
import type { Clock } from "../../src/core/clock.ts";
import type { ChannelSeed, SlackSeed, WorkspaceSeed } from "./seed.ts";
import { type Channel, type Person, State, type Workspace } from "./state.ts";

/** An id in Slack's form that is the same on every start, so that what others stored under it stays valid. */
const slackId = (prefix: string, ...path: readonly string[]): string =>
  prefix + createHash("sha256").update(path.join("/")).digest("hex").slice(0, 10).toUpperCase();

/** Makes the state a seed describes. Throws an Error that names the mistake when the seed contradicts itself. */
export function plantSeed(seed: SlackSeed, clock: Clock, keep: number): State {
  const workspaces = seed.workspaces.map(plantWorkspace);
  const created = Math.floor(clock.now().getTime() / 1000);
  seed.workspaces.forEach((workspaceSeed, index) => {
    const host = workspaces[index] as Workspace;
    for (const channelSeed of workspaceSeed.channels) plantChannel(channelSeed, host, workspaces, created);
    for (const person of host.people.values()) if (person.teamId === host.teamId && !person.botId) openDirect(host, person, created);
  });
  return new State(clock, workspaces, keep);
}

function plantWorkspace(seed: WorkspaceSeed): Workspace {
  const teamId = seed.teamId ?? slackId("T", seed.name);
  const botId = slackId("B", seed.name, "footnote");
  const bot: Person = {
    id: seed.botUserId ?? slackId("U", seed.name, "bot", "footnote"),
    name: "footnote",
    displayName: "Footnote",
    role: "member",
    teamId,
    timeZone: "America/Los_Angeles",
    locale: "en-US",
    botId,
    deactivated: false,
  };
  const people = new Map<string, Person>([[bot.id, bot]]);
  for (const person of seed.people) {
    const id = person.id ?? slackId("U", seed.name, person.name);
    people.set(id, {
      id,
      name: person.name,
      displayName: person.displayName ?? person.name,
      role: person.role ?? "member",
      teamId: person.homeTeamId ?? teamId,
      timeZone: person.timeZone ?? "Etc/UTC",
      locale: person.locale ?? "en-US",
      deactivated: person.deactivated ?? false,
    });
  }
  for (const other of seed.otherBots ?? []) {
    const id = other.id ?? slackId("U", seed.name, "bot", other.name);
    const otherBotId = slackId("B", seed.name, other.name);
    people.set(id, { ...bot, id, name: other.name, displayName: other.name, botId: otherBotId });
  }
  const userGroups = (seed.userGroups ?? []).map((group) => ({
    id: slackId("S", seed.name, group.handle),
    handle: group.handle,
    members: group.members.map((name) => findByName(people, name, seed.name).id),
  }));
  return {
    name: seed.name,
    title: seed.title,
    teamId,
    ...(seed.enterprise && { enterprise: seed.enterprise }),
    ...(seed.scopes && { scopes: seed.scopes }),
    bot,
    botId,
    botToken: seed.botToken ?? `xoxb-playground-${seed.name}`,
    installed: true,
    people,
    channels: new Map(),
    userGroups,
    files: new Map(),
    fileBytes: new Map(),
    views: new Map(),
    homes: new Map(),
  };
}

function plantChannel(seed: ChannelSeed, host: Workspace, workspaces: readonly Workspace[], created: number): void {
  const guests = (seed.sharedWith ?? []).map((name) => named(workspaces, name));
  const members = seed.members.map((member) => {
    const [workspaceName, handle] = member.includes("/") ? (member.split("/") as [string, string]) : [host.name, member];
    return findByName(named(workspaces, workspaceName).people, handle, workspaceName).id;
  });
  const channel: Channel = {
    id: seed.id ?? slackId("C", host.name, seed.name),
    name: seed.name,
    kind: seed.private ? "private" : "public",
    hostTeamId: host.teamId,
    teamIds: [host, ...guests].map((workspace) => workspace.teamId),
    connect: guests.length > 0 ? "shared" : (seed.connect ?? "none"),
    topic: seed.topic ?? "",
    archived: seed.archived ?? false,
    created,
    creator: members[0] ?? host.bot.id,
    members: new Set(members),
    messages: [],
    statuses: new Map(),
    titles: new Map(),
  };
  for (const workspace of [host, ...guests]) {
    if (seed.bot !== false) channel.members.add(workspace.bot.id);
    workspace.channels.set(channel.id, channel);
  }
}

/** The conversation between the bot and one person, made when first needed. */
export function openDirect(workspace: Workspace, person: Person, created: number): Channel {
  const id = slackId("D", workspace.name, person.id);
  const existing = workspace.channels.get(id);
  if (existing) return existing;
  const channel: Channel = {
    id,
    name: `direct:${person.name}`,
    kind: "direct",
    hostTeamId: workspace.teamId,
    teamIds: [workspace.teamId],
    connect: "none",
    topic: "",
    archived: false,
    created,
    creator: person.id,
    members: new Set([person.id, workspace.bot.id]),
    messages: [],
    statuses: new Map(),
    titles: new Map(),
  };
  workspace.channels.set(id, channel);
  return channel;
}

function named(workspaces: readonly Workspace[], name: string): Workspace {
  const found = workspaces.find((workspace) => workspace.name === name);
  if (!found) throw new Error(`The seed names a workspace that it does not hold: ${name}`);
  return found;
}

function findByName(people: ReadonlyMap<string, Person>, name: string, workspace: string): Person {
  for (const person of people.values()) if (person.name === name) return person;
  throw new Error(`The seed names somebody that workspace ${workspace} does not hold: ${name}`);
}
