import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { FakeSlack } from "../../../playground/server/fake-slack.ts";
import { defaultSeed, type SlackSeed } from "../../../playground/server/seed.ts";
import { slackClient } from "../../../src/bot/workspace/slack-clients.ts";
import { SlackDirectory } from "../../../src/bot/workspace/slack-directory.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { channelId, personId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";

const [acme, globex] = defaultSeed.workspaces;
if (!acme || !globex) throw new Error("the seed has changed");
const seed: SlackSeed = {
  workspaces: [
    {
      ...acme,
      people: [
        ...acme.people,
        { name: "olga", role: "owner" },
        { name: "dora", role: "member", deactivated: true },
        { name: "sam", role: "admin", homeTeamId: "T_OTHER" },
        { name: "nina", id: "U0NINASTRANGER", homeTeamId: "T_OTHER" },
        { name: "nina", id: "U0NINA" },
      ],
      otherBots: [{ name: "deploybot" }],
      channels: [
        ...acme.channels,
        { name: "with-partner", members: ["alice", "sam"], connect: "shared" },
        { name: "invited-partner", members: ["alice"], connect: "pending" },
        { name: "with-sisters", members: ["alice", "bob"], connect: "organisation" },
        { name: "with-stranger", members: ["alice", "sam"] },
        { name: "bots", members: ["alice", "deploybot"] },
        { name: "secret", private: true, members: ["alice"], bot: false },
      ],
    },
    globex,
  ],
};

let slack: FakeSlack;
let directory: SlackDirectory;
const id = (name: string, workspace = "acme") => personId(slack.workspace(workspace).person(name));
const channel = (name: string, workspace = "acme") => channelId(slack.workspace(workspace).channel(name));
const calls = (method: string) => slack.calls.filter((call) => call.method === method).length;

beforeEach(async () => {
  slack = await FakeSlack.start({ seed });
  const { botToken, teamId } = slack.workspace("acme");
  directory = new SlackDirectory(slackClient(new Secret(botToken), silentLogger, slack.apiUrl), {
    teamId,
    clock: systemClock,
    log: silentLogger,
  });
});
afterEach(() => slack?.stop());

describe("people", () => {
  test.each([
    ["olga", { role: "owner", isBot: false, deactivated: false }],
    ["alice", { role: "admin", timeZone: "Europe/Berlin" }],
    ["bob", { role: "member" }],
    ["gina", { role: "guest" }],
    ["dora", { role: "member", deactivated: true }],
    ["sam", { role: "outsider" }],
  ])("%s is known as Slack describes them", async (name, known) => {
    expect(await directory.person(id(name))).toMatchObject({ id: id(name), name, ...known });
  });

  test("an outsider's admin flag at home means nothing here", async () =>
    expect((await directory.person(id("sam")))?.role).toBe("outsider"));
  test("the bot itself is a bot", async () =>
    expect(await directory.person(personId(slack.workspace("acme").botUserId))).toMatchObject({ isBot: true }));
  test("an id of another workspace, or none, is nobody", async () => {
    expect(await directory.person(id("alice", "globex"))).toBeUndefined();
    expect(await directory.person(personId("UNONE"))).toBeUndefined();
  });
  test("somebody is found by their exact handle", async () => {
    expect(await directory.findPerson("@bob")).toMatchObject({ id: id("bob") });
    expect(await directory.findPerson("bo")).toBeUndefined();
  });
  test("T13: a stranger with the same handle is not taken for a colleague", async () => {
    expect(await directory.findPerson("nina")).toMatchObject({ id: "U0NINA", role: "member" });
    expect(await directory.findPerson("sam")).toMatchObject({ role: "outsider" });
  });
  test("many who ask at once cost one call, and a failure is not remembered", async () => {
    slack.fail({ method: "users.info", httpStatus: 500 });
    expect(await directory.person(id("bob"))).toBeUndefined();
    await Promise.all(Array.from({ length: 20 }, () => directory.person(id("bob"))));
    expect(await directory.person(id("bob"))).toMatchObject({ role: "member" });
    expect(calls("users.info")).toBe(2);
  });
  test("a short limit is waited for", async () => {
    slack.fail({ method: "users.info", retryAfter: 1 });
    expect(await directory.person(id("bob"))).toMatchObject({ role: "member" });
  });
  test("a long limit is not: nobody is let in on a guess", async () => {
    slack.fail({ method: "users.info", retryAfter: 30 });
    expect(await directory.person(id("bob"))).toBeUndefined();
  });
});

describe("places", () => {
  test.each([
    ["general", { kind: "public", guests: "none", outsiders: "none" }],
    ["board", { kind: "private", guests: "none", outsiders: "none" }],
    ["guest-project", { kind: "public", guests: "some", outsiders: "none" }],
    ["with-partner", { outsiders: "some" }],
    ["invited-partner", { outsiders: "some" }],
    ["with-sisters", { guests: "none", outsiders: "unknown" }],
    ["with-stranger", { outsiders: "some" }],
    ["bots", { guests: "none", outsiders: "none" }],
  ])("%s is known with its readers", async (name, known) => {
    expect(await directory.place(channel(name))).toMatchObject({ id: channel(name), name, ...known });
  });

  test("a direct message has no other readers", async () => {
    const direct = channelId(slack.workspace("acme").direct("gina"));
    expect(await directory.place(direct)).toMatchObject({ kind: "direct", guests: "none", outsiders: "none" });
  });
  test("a private channel without the bot, another workspace's channel and no channel look the same", async () => {
    expect(await directory.place(channel("secret"))).toBeUndefined();
    expect(await directory.place(channel("general", "globex"))).toBeUndefined();
    expect(await directory.place(channelId("CNONE"))).toBeUndefined();
  });
  test.each(["conversations.members", "users.list"])("when %s fails the readers are unknown, never none", async (method) => {
    slack.fail({ method, error: "internal_error" });
    expect(await directory.place(channel("general"))).toMatchObject({ guests: "unknown", outsiders: "unknown" });
  });
  test("when the channel cannot be read it is not there", async () => {
    slack.fail({ method: "conversations.info", httpStatus: 503 });
    expect(await directory.place(channel("general"))).toBeUndefined();
  });
  test("a channel is found by its exact name", async () => {
    expect(await directory.findChannel("#people-ops")).toMatchObject({ id: channel("people-ops") });
    expect(await directory.findChannel("people")).toBeUndefined();
  });
  test("the channels somebody is in, without direct messages", async () => {
    expect([...(await directory.channelsOf(id("gina")))]).toEqual([channel("guest-project")]);
    expect(await directory.channelsOf(id("alice"))).not.toContain(slack.workspace("acme").direct("alice"));
  });
  test("when those cannot be read, there are none", async () => {
    slack.fail({ method: "users.conversations", error: "internal_error" });
    expect(await directory.channelsOf(id("alice"))).toEqual([]);
  });
  test("a direct message is opened, and a refusal is told", async () => {
    expect(await directory.directMessage(id("bob"))).toBe(slack.workspace("acme").direct("bob"));
    slack.fail({ method: "conversations.open", error: "cannot_dm_bot" });
    await expect(directory.directMessage(id("olga"))).rejects.toThrow();
  });
});

test("unreadable readers are asked for again the next time", async () => {
  slack.fail({ method: "conversations.members", error: "internal_error" });
  expect((await directory.place(channel("general")))?.guests).toBe("unknown");
  expect((await directory.place(channel("general")))?.guests).toBe("none");
});

test("a long list is read to its end, page by page", async () => {
  const people = Array.from({ length: 2_500 }, (_, i) => ({ name: `p${i}`, role: i === 2_499 ? ("guest" as const) : ("member" as const) }));
  const big = await FakeSlack.start({
    seed: { workspaces: [{ name: "big", title: "Big", people, channels: [{ name: "all", members: people.map(({ name }) => name) }] }] },
  });
  try {
    const { botToken, teamId, channel: find } = big.workspace("big");
    const client = slackClient(new Secret(botToken), silentLogger, big.apiUrl);
    const all = new SlackDirectory(client, { teamId, clock: systemClock, log: silentLogger });
    expect(await all.place(channelId(find("all")))).toMatchObject({ guests: "some", outsiders: "none" });
    expect(big.calls.filter((call) => call.method === "conversations.members").length).toBeGreaterThan(1);
  } finally {
    await big.stop();
  }
});

test("once the list of everybody is read, people are known without a call each, for as long as the list is fresh", async () => {
  await directory.place(channel("general"));
  const before = slack.calls.length;
  expect(await directory.person(id("alice"))).toMatchObject({ name: "alice", role: "admin" });
  expect(await directory.person(id("gina"))).toMatchObject({ name: "gina", role: "guest" });
  expect(slack.calls.length).toBe(before);
});
