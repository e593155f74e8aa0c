import { describe, expect, test } from "@jest/globals";
import { WebAPIPlatformError } from "@slack/web-api";
import { RealTimeSearch } from "../../../src/bot/workspace/slack-search.ts";
import { channelId, messageTs, personId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Secret } from "../../../src/core/secret.ts";
import { person } from "../../fakes/people.ts";
import { acme, globex } from "../../fakes/tool-context.ts";

const bob = person("bob", { displayName: "Bob" });
const at = { channel: channelId("C1"), ts: messageTs("1.1"), person: personId("U_ALICE") };
const asked = { tenant: acme, person: at.person, channel: at.channel, message: at.ts };
const payload = { type: "app_mention", assistant_thread: { action_token: "leave-canary" } };
const hit = {
  ...{ author_user_id: bob.id, channel_id: "C2", message_ts: "1764500000.000100", content: "The ferry leaves at 18:40." },
  permalink: "https://acme.slack.com/archives/C2/p1",
};

function setup(answer: () => unknown = () => ({ ok: true, results: { messages: [hit] } })) {
  const calls: object[] = [];
  const kept = new Map<string, Secret>();
  const key = (message: object) => JSON.stringify(message);
  const process = () =>
    new RealTimeSearch({
      leavesOf: (tenant) => ({
        keep: async (message, leave, flag) => void (flag === "slack-search" && kept.set(key({ tenant, ...message }), leave)),
        find: async (message) => kept.get(key({ tenant, ...message })),
      }),
      log: silentLogger,
      slackOf: async () => ({
        reader: {
          call: async (method, args) => {
            calls.push({ method, ...args });
            return answer() as Record<string, unknown>;
          },
        },
        directory: { person: async (id) => (id === bob.id ? bob : undefined), place: async () => undefined },
      }),
    });
  const search = process();
  search.note(acme, at, payload);
  const run = (more: Partial<typeof asked> = {}, by = search) =>
    by.search({ ...asked, ...more }, { words: "ferry", limit: 5 }, new AbortController().signal);
  return { calls, run, process };
}

describe("Slack's real-time search", () => {
  test("asks for messages of public channels alone, by the leave that came with the question", async () => {
    const { calls, run } = setup();
    expect(await run()).toEqual([
      { text: "The ferry leaves at 18:40.", at: new Date(1_764_500_000_000), author: "Bob", url: "https://acme.slack.com/archives/C2/p1" },
    ]);
    expect(calls).toEqual([
      {
        ...{ method: "assistant.search.context", query: "ferry", limit: 5, action_token: "leave-canary" },
        ...{ content_types: "messages", channel_types: "public_channel", include_bots: false },
      },
    ]);
  });

  test("another process that answers the question has the same leave, for this question and its author alone", async () => {
    const { calls, run, process } = setup();
    const other = process();
    expect(await run({}, other)).toHaveLength(1);
    expect(calls).toMatchObject([{ action_token: "leave-canary" }]);
    for (const more of [{ person: bob.id }, { tenant: globex }, { message: messageTs("1.2") }])
      await expect(run(more, other)).rejects.toThrow("mentioning the bot again gives a new one");
  });

  test.each([
    ["somebody else", { person: bob.id }],
    ["another workspace", { tenant: globex }],
    ["another message", { message: messageTs("1.2") }],
    ["another channel", { channel: channelId("C9") }],
  ])("the leave is worth nothing to %s", async (_who, more) => {
    const { calls, run } = setup();
    await expect(run(more)).rejects.toMatchObject({ code: "SLACK_SEARCH_UNAVAILABLE" });
    expect(calls).toEqual([]);
  });

  test.each([
    ["missing_scope", /grant it the scope search:read\.public/],
    ["feature_not_enabled", /does not offer its search/],
    ["something else", /did not answer/],
  ])("a refusal (%s) is told in words that help, without the leave", async (error, said) => {
    const { run } = setup(() => {
      throw new WebAPIPlatformError({ ok: false, error });
    });
    const thrown = await run().catch((refusal: Error) => refusal);
    expect(thrown).toMatchObject({ code: "SLACK_SEARCH_UNAVAILABLE" });
    expect(String(thrown)).not.toContain("canary");
    expect(String(thrown)).toMatch(said);
  });

  test("an answer in another form finds nothing", async () => {
    expect(await setup(() => ({ ok: true })).run()).toEqual([]);
    expect(await setup(() => ({ ok: true, results: { messages: [{ content: 7 }] } })).run()).toEqual([]);
  });
});
