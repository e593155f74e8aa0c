import { defaultSeed, type SlackSeed } from "../../playground/server/seed.ts";
import { apiOf, startSlack } from "./harness.ts";

describe("the seed", () => {
  it("gives the same ids and bot tokens on every start, so that what others stored stays valid", async () => {
    const [first, second] = [await startSlack(), await startSlack()];
    for (const name of ["acme", "globex"]) {
      const [one, other] = [first.workspace(name), second.workspace(name)];
      expect([one.teamId, one.botToken, one.person("alice"), one.channel("board"), one.direct("bob")]).toEqual([
        other.teamId,
        other.botToken,
        other.person("alice"),
        other.channel("board"),
        other.direct("bob"),
      ]);
    }
    expect(first.signingSecret).not.toBe(second.signingSecret);
    expect(first.appToken).not.toBe(second.appToken);
  });

  it("puts everybody where the table in seed.ts says", async () => {
    const slack = await startSlack();
    const members = (channel: string) =>
      ["alice", "bob", "gina", "footnote"].filter((name) =>
        slack.state.workspaces[0]?.channels
          .get(slack.workspace("acme").channel(channel))
          ?.members.has(slack.workspace("acme").person(name)),
      );
    expect(Object.fromEntries(["general", "people-ops", "board", "guest-project"].map((channel) => [channel, members(channel)]))).toEqual({
      general: ["alice", "bob", "footnote"],
      "people-ops": ["alice", "bob", "footnote"],
      board: ["alice", "footnote"],
      "guest-project": ["alice", "bob", "gina", "footnote"],
    });
  });

  it("may force equal ids in two workspaces, which stay apart all the same", async () => {
    const same = (name: string): SlackSeed["workspaces"][0] => ({
      name,
      title: name,
      botUserId: "U0SAMEBOT",
      people: [{ name: "alice", id: "U0SAME" }],
      channels: [{ name: "general", id: "C0SAME", members: ["alice"] }],
    });
    const slack = await startSlack({ seed: { workspaces: [same("one"), same("two")] }, retryDelaysMs: [1] });
    slack.post({ workspace: "two", as: "alice", channel: "general", text: "@footnote hi" });
    expect(slack.messages({ workspace: "one", channel: "general" })).toEqual([]);
    expect(slack.messages({ workspace: "two", channel: "general" })).toHaveLength(1);
    expect(new Set(slack.envelopes.map((envelope) => envelope.team_id))).toEqual(new Set([slack.workspace("two").teamId]));
    await apiOf(slack, "one")("chat.postMessage", { channel: "C0SAME", text: "one" });
    expect(slack.messages({ workspace: "two", channel: "general" })).toHaveLength(1);
  });

  it("may have bots of others, whose mentions and messages are marked as a bot's", async () => {
    const seed: SlackSeed = {
      workspaces: [
        { name: "acme", title: "Acme", people: [], otherBots: [{ name: "jira" }], channels: [{ name: "general", members: ["jira"] }] },
      ],
    };
    const slack = await startSlack({ seed, retryDelaysMs: [1] });
    slack.post({ workspace: "acme", as: "jira", channel: "general", text: "@footnote hi" });
    expect(slack.envelopes.map((envelope) => envelope.event)).toMatchObject([
      { type: "app_mention", bot_id: expect.stringMatching(/^B/) },
      { type: "message", bot_id: expect.stringMatching(/^B/), user: slack.workspace("acme").person("jira") },
    ]);
    expect(
      await apiOf(slack, "acme")("bots.info", { bot: slack.messages({ workspace: "acme", channel: "general" })[0]?.botId }),
    ).toMatchObject({
      bot: { name: "jira" },
    });
  });

  it("may put a workspace into an organisation, which events and answers then name", async () => {
    const enterprise = { id: "E0ORG", name: "Org" };
    const seed: SlackSeed = {
      workspaces: [
        { name: "acme", title: "Acme", enterprise, people: [{ name: "alice" }], channels: [{ name: "general", members: ["alice"] }] },
      ],
    };
    const slack = await startSlack({ seed, retryDelaysMs: [1] });
    slack.post({ workspace: "acme", as: "alice", channel: "general", text: "hi" });
    expect(slack.envelopes[0]).toMatchObject({
      enterprise_id: "E0ORG",
      context_enterprise_id: "E0ORG",
      authorizations: [{ enterprise_id: "E0ORG" }],
    });
    expect(await apiOf(slack, "acme")("auth.test")).toMatchObject({ enterprise_id: "E0ORG" });
    expect(await apiOf(slack, "acme")("users.info", { user: slack.workspace("acme").person("alice") })).toMatchObject({
      user: { enterprise_user: { enterprise_id: "E0ORG" } },
    });
  });

  it("names its own mistakes", async () => {
    const broken: SlackSeed = {
      workspaces: [{ ...(defaultSeed.workspaces[0] as SlackSeed["workspaces"][0]), channels: [{ name: "c", members: ["nobody"] }] }],
    };
    await expect(startSlack({ seed: broken })).rejects.toThrow("acme does not hold: nobody");
  });
});

describe("a playground that runs for long", () => {
  it("forgets old calls, events and states of messages, not the messages", async () => {
    const slack = await startSlack({ keep: 3, retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const { ts } = await call("chat.postMessage", { channel, text: "0" });
    for (let i = 1; i < 6; i++) await call("chat.update", { channel, ts, text: String(i) });
    for (let i = 0; i < 5; i++) slack.post({ workspace: "acme", as: "bob", channel: "general", text: "hello" });
    expect([slack.calls.length, slack.envelopes.length]).toEqual([3, 3]);
    const [message, ...rest] = slack.messages({ workspace: "acme", channel: "general" });
    expect(message?.revisions.map((revision) => revision.text)).toEqual(["3", "4", "5"]);
    expect(rest).toHaveLength(5);
  });
});
