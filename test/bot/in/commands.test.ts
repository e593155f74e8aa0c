import { describe, expect, test } from "@jest/globals";
import type { ReplyRule } from "../../../src/agent/templates/template.ts";
import { Inbox } from "../../../src/bot/in/inbox.ts";
import { listeners } from "../../../src/bot/in/listeners/index.ts";
import { refusal } from "../../../src/bot/in/listeners/policy.ts";
import type { IncomingMessage } from "../../../src/bot/turns/turn-store.ts";
import type { Installation } from "../../../src/bot/workspace/installations.ts";
import { newId, personId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { NotingContext } from "../../fakes/listener-context.ts";

const installation: Installation = { tenant: tenantId(newId()), teamId: "T1", botUserId: personId("UBOT"), token: new Secret("x") };

/** Lets one delivery go through the listener it is for. */
async function deliver(payload: Record<string, unknown>, rule: ReplyRule = "thread") {
  const context = new NotingContext();
  context.rule = rule;
  const questions: IncomingMessage[] = [];
  const turnsOf = () => ({
    accept: async (message: IncomingMessage) => {
      questions.push(message);
      return "queued" as const;
    },
    retry: async () => "not-offered" as const,
  });
  const inbox = new Inbox({ turnsOf, nudge: () => {}, refuse: async () => {}, log: silentLogger });
  const wanted = payload.command ?? payload.type;
  for (const { on, policy, handle } of listeners) {
    if (Object.values(on)[0] !== wanted) continue;
    const delivery = { installation, payload, body: { event_id: "Ev1", ...payload } };
    if (!refusal(policy, delivery)) await handle(delivery, inbox, context);
  }
  return { questions, given: context.given, clicks: context.clicks };
}

const message = { type: "message", channel: "C1", channel_type: "channel", user: "U1", text: "!tools", ts: "5.000001" };
const reply = { ...message, thread_ts: "1.000001" };

describe("a command in a message is carried out and is no question", () => {
  test.each([
    ["at top level", message, { direct: false, addressed: false }],
    ["in a thread", reply, { thread: "1.000001", addressed: false }],
    ["as a mention", { ...reply, text: "<@UBOT> tools" }, { thread: "1.000001", addressed: true }],
    ["as the mention's own event", { ...reply, type: "app_mention", text: "<@UBOT> tools" }, { thread: "1.000001", addressed: true }],
    ["in a direct message", { ...message, channel: "D1", channel_type: "im" }, { direct: true, addressed: true }],
  ])("%s", async (_, event, expected) => {
    const { questions, given } = await deliver(event);
    expect(questions).toEqual([]);
    expect(given).toEqual([
      expect.objectContaining({ ...expected, person: "U1", tenant: installation.tenant, command: { kind: "tools-list" } }),
    ]);
  });

  test("both events of a mention have one key, and so have re-deliveries", async () => {
    const both = await Promise.all(["message", "app_mention"].map((type) => deliver({ ...reply, type, text: "<@UBOT> tools" })));
    const keys = both.map(({ given }) => given[0]?.key);
    expect(new Set(keys).size).toBe(1);
    expect((await deliver({ ...reply, ts: "5.000002" })).given[0]?.key).not.toBe(keys[0]);
    expect((await deliver({ ...reply, channel: "C2" })).given[0]?.key).not.toBe(keys[0]);
  });

  test.each([
    ["another bot's", { ...message, bot_id: "B2" }],
    ["the bot's own", { ...message, user: "UBOT" }],
    ["an edit's", { ...message, edited: { user: "U1", ts: "6.0" } }],
    ["a notice's", { ...message, subtype: "channel_topic" }],
    ["one with a forged place", { ...message, channel: { $ne: "" } }],
  ])("%s text is no command", async (_, event) => expect(await deliver(event)).toEqual({ questions: [], given: [], clicks: [] }));
});

describe("a slash command", () => {
  const slash = {
    command: "/footnote",
    text: "tools list",
    user_id: "U1",
    channel_id: "C1",
    trigger_id: "1.2.3",
    response_url: "https://hooks.slack.com/x",
  };

  test("is given on as Slack says", async () => {
    const { given } = await deliver(slash);
    expect(given).toEqual([
      expect.objectContaining({ person: "U1", channel: "C1", direct: false, responseUrl: slash.response_url, key: "slash 1.2.3" }),
    ]);
  });

  test("with nothing behind it, /footnote tools opens the panel for that channel", async () => {
    const { clicks } = await deliver({ ...slash, text: " Tools\u00A0" });
    const click = { person: "U1", action: "show_tools", trigger: "1.2.3", at: { channel: "C1" }, responseUrl: slash.response_url };
    expect(clicks).toEqual([expect.objectContaining(click)]);
  });

  test.each([
    ["without an author", { user_id: undefined }],
    ["with an object for an author", { user_id: { $ne: 1 } }],
    ["with a list for a channel", { channel_id: ["C1"] }],
    ["without a channel", { channel_id: "" }],
    ["without a trigger", { trigger_id: undefined }],
    ["of the bot itself", { user_id: "UBOT" }],
    ["with an endless text", { text: "x".repeat(20_001) }],
  ])("%s does nothing", async (_, changes) => expect((await deliver({ ...slash, ...changes })).given).toEqual([]));
});

describe("a channel's reply rule", () => {
  const plain = { ...message, text: "Lunch?" };
  const colleague = { ...message, text: "<@U2> lunch?" };
  const asks = async (event: Record<string, unknown>, rule: ReplyRule) => (await deliver(event, rule)).questions[0]?.asks ?? "nothing";

  test.each<[string, Record<string, unknown>, string]>([
    ["a mention", { ...message, text: "<@UBOT> hi" }, "always always always"],
    ["a mention in a thread", { ...reply, text: "<@UBOT> hi" }, "always always always"],
    ["a direct message", { ...plain, channel: "D1", channel_type: "im" }, "always always always"],
    ["a message at top level", plain, "nothing nothing always"],
    ["a message to a colleague", colleague, "nothing nothing nothing"],
    ["a reply in a thread", { ...reply, text: "And?" }, "never in-known-thread in-known-thread"],
    ["a reply to a colleague", { ...reply, text: "<@U2> look" }, "never never never"],
  ])("%s, where the rule is mention, thread, always", async (_, event, expected) =>
    expect((await Promise.all((["mention", "thread", "always"] as const).map((rule) => asks(event, rule)))).join(" ")).toBe(expected),
  );
});
