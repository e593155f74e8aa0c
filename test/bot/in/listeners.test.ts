import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { approvalActions } from "../../../src/bot/approvals/approval-card.ts";
import { editedForm } from "../../../src/bot/approvals/edit-form.ts";
import { Inbox } from "../../../src/bot/in/inbox.ts";
import { listeners } from "../../../src/bot/in/listeners/index.ts";
import type { Delivery, Listener } from "../../../src/bot/in/listeners/listener.ts";
import { refusal } from "../../../src/bot/in/listeners/policy.ts";
import { controls, forms, shortcuts } from "../../../src/bot/surfaces/controls.ts";
import { prepareTurn } from "../../../src/bot/turns/prepare-turn.ts";
import type { IncomingMessage, StartedTurn } from "../../../src/bot/turns/turn-store.ts";
import type { Installation } from "../../../src/bot/workspace/installations.ts";
import { channelId, messageTs, newId, type PersonId, personId, tenantId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import { NotingContext } from "../../fakes/listener-context.ts";

const installation: Installation = {
  tenant: tenantId(newId()),
  teamId: "T1",
  botUserId: personId("UBOT"),
  token: new Secret("xoxb"),
};

/** Lets a delivery go through every listener as the app does; gives back what reached the inbox. */
async function reaching(event: Record<string, unknown>, body: Record<string, unknown> = {}, context = new NotingContext()) {
  const stored: (IncomingMessage | { retried: string })[] = [];
  const inbox = new Inbox({
    turnsOf: () => ({
      accept: async (message) => {
        stored.push(message);
        return "queued";
      },
      retry: async (turn) => {
        stored.push({ retried: turn });
        return "queued";
      },
    }),
    nudge: () => undefined,
    refuse: async () => undefined,
    log: silentLogger,
  });
  for (const { on, policy, handle } of listeners) {
    if (nameOf(on) !== (event.command ?? event.action_id ?? event.callback_id ?? event.type)) continue;
    const delivery: Delivery = { installation, payload: event, body: { type: "event_callback", event_id: "Ev1", event, ...body } };
    if (!refusal(policy, delivery)) await handle(delivery, inbox, context);
  }
  return [
    ...stored,
    ...context.given,
    ...context.clicks,
    ...context.homes,
    ...context.opened,
    ...context.wishes,
    ...context.decisions,
    ...context.edits,
  ];
}
const nameOf = (on: Listener["on"]): string => ("suggestions" in on ? `suggest ${on.suggestions}` : (Object.values(on)[0] ?? ""));

const base = { type: "message", channel: "D1", channel_type: "im", user: "U1", text: "hello", ts: "2.000001" };
const thread = { ...base, channel: "C1", channel_type: "channel", ts: "5.000001", thread_ts: "1.000001" };

describe("what a person says is stored as a question", () => {
  test.each([
    ["a direct message", base, "always"],
    ["a mention", { ...base, type: "app_mention", channel: "C1", text: "<@UBOT> hi" }, "always"],
    ["a mention that only comes as a message", { ...thread, text: "<@UBOT> hi" }, "always"],
    ["a mention in mid-sentence", { ...thread, thread_ts: undefined, text: "ask <@UBOT|footnote> please" }, "always"],
    ["a file with words", { ...base, subtype: "file_share", files: [{ id: "F1" }] }, "always"],
    ["a file without words", { ...base, subtype: "file_share", text: "", files: [{ id: "F1" }] }, "always"],
    ["a reply also sent to the channel", { ...base, subtype: "thread_broadcast", thread_ts: "1.000001" }, "always"],
    ["/me", { ...base, subtype: "me_message" }, "always"],
    ["a reply in a thread", thread, "in-known-thread"],
    ["a reply addressed to a colleague", { ...thread, text: "<@U2> look" }, "never"],
  ])("%s", async (_name, event, asks) => {
    expect(await reaching(event)).toEqual([expect.objectContaining({ asks, person: "U1", ts: event.ts })]);
  });

  test("a message that starts a thread and its replies belong to the same thread", async () => {
    const [first] = await reaching({ ...base, ts: "1.000000" });
    const [again] = await reaching({ ...base, ts: "1.000000", thread_ts: "1.000000" });
    const [reply] = await reaching({ ...base, ts: "2.000000", thread_ts: "1.000000" });
    expect([first, again, reply].map((message) => message && "thread" in message && message.thread)).toEqual(Array(3).fill("1.000000"));
  });

  test("timestamps keep their last zeros", async () => {
    expect(await reaching({ ...base, ts: "1719282819.000100" })).toEqual([expect.objectContaining({ ts: "1719282819.000100" })]);
  });
});

const changed = (message: object) => ({ ...base, user: undefined, text: undefined, subtype: "message_changed", hidden: true, message });

describe("what starts nothing", () => {
  test.each([
    ["the bot's own message", { ...base, user: "UBOT", bot_id: "B1" }],
    ["the bot's own message without its bot id", { ...base, user: "UBOT" }],
    ["another bot, with a user and no subtype", { ...thread, user: "UB2", bot_id: "B2", app_id: "A2", text: "<@UBOT> thanks!" }],
    ["another bot's mention", { ...base, type: "app_mention", subtype: "bot_message", user: undefined, bot_id: "B2", text: "<@UBOT> hi" }],
    ["an unfurl of the bot's own message", changed({ bot_id: "B1", text: "see <https://a.example>", ts: "2.0", attachments: [{}] })],
    ["another bot's edit", changed({ user: "U2", bot_id: "B2", text: "<@UBOT> new", ts: "2.0", edited: { user: "U2", ts: "3.0" } })],
    ["an edit into a command", changed({ user: "U1", text: "!tools off all", ts: "2.0", edited: { user: "U1", ts: "3.0" } })],
    ["an edit into a wish to stop", changed({ user: "U1", text: "stop", ts: "2.0", edited: { user: "U1", ts: "3.0" } })],
    ["the change that follows a broadcast", changed({ user: "U1", text: "and now?", ts: "3.0", subtype: "thread_broadcast" })],
    ["an edited mention", { ...base, type: "app_mention", text: "<@UBOT> hi", edited: { user: "U1", ts: "3.0" } }],
    ["a deletion", { ...base, user: undefined, subtype: "message_deleted", hidden: true, deleted_ts: "1.0" }],
    ["a join", { ...base, subtype: "channel_join", text: "<@U1> has joined the channel" }],
    ["a new topic", { ...base, subtype: "channel_topic" }],
    ["a pin", { ...base, subtype: "pinned_item", text: "<@U1> pinned a message to this conversation." }],
    ["a reminder", { ...base, subtype: "reminder_add" }],
    ["a huddle", { ...base, subtype: "huddle_thread" }],
    ["a kind that is yet to be invented", { ...base, subtype: "x_new_notice" }],
    ["Slackbot", { ...base, user: "USLACKBOT" }],
    ["a plain message in a channel", { ...base, channel: "C1", channel_type: "channel" }],
    ["a plain message in a group", { ...base, channel: "G1", channel_type: "mpim" }],
    ["something malformed", { ...base, ts: { $ne: 1 } }],
    ["a message without a place", { ...base, channel: undefined }],
  ])("%s", async (_name, event) => expect(await reaching(event as Record<string, unknown>)).toEqual([]));
});

describe("what people do about what they have written", () => {
  test("an edit is another wording of the same message", async () => {
    const message = { user: "U1", text: "<@UBOT> new", ts: "2.000001", thread_ts: "1.000001", edited: { user: "U1", ts: "3.000000" } };
    const given = { channel: "D1", ts: "2.000001", thread: "1.000001", person: "U1", text: "<@UBOT> new", editedTs: "3.000000" };
    expect(await reaching(changed(message))).toEqual([{ what: "edited", given: { ...given, awaited: true } }]);
  });

  const written = { type: "message", user: "U1", text: "hello", ts: "2.000001", thread_ts: "1.000001" };
  const given = { channel: "D1", ts: "2.000001", thread: "1.000001", person: "U1", eventId: "Ev1" };
  test.each([
    ["that leaves nothing", { ...base, user: undefined, subtype: "message_deleted", deleted_ts: "2.000001", previous_message: written }],
    [
      "that leaves a tombstone",
      { ...changed({ subtype: "tombstone", user: "USLACKBOT", ts: "2.000001", hidden: true }), previous_message: written },
    ],
  ])("a deletion %s", async (_name, event) => expect(await reaching(event)).toEqual([{ what: "deleted", given }]));

  test.each(["stop", "Stopp!", " STOP. ", "please stop", "Bitte stopp", "<@UBOT> stop"])(
    "%j in a thread stops what runs there",
    async (text) => {
      const given = expect.objectContaining({ channel: "C1", thread: "1.000001", before: "5.000001", person: "U1" });
      expect(await reaching({ ...thread, text })).toEqual([{ what: "stop", given }]);
    },
  );
  test("at the top of a direct message it stops what its author has asked there", async () => {
    expect(await reaching({ ...base, text: "stop" })).toEqual([
      { what: "stop", given: expect.not.objectContaining({ thread: "2.000001" }) },
    ]);
  });
  test.each(["stop the deployment", "how do I stop it?", "don't stop", "stopping"])("%j is a question", async (text) =>
    expect(await reaching({ ...thread, text })).toEqual([expect.objectContaining({ asks: "in-known-thread" })]),
  );
  test("at the top of a channel, without a mention, it is none of our business", async () =>
    expect(await reaching({ ...base, channel: "C1", channel_type: "channel", text: "stop" })).toEqual([]));

  test.each([["not-a-uuid 1"], [`${newId()} x`], [`${newId()}`], [{ $ne: 1 }]])(
    "a forged button for another answer (%j) does nothing",
    async (value) =>
      expect(
        await reaching({ type: "button", action_id: "regenerate_turn", value }, { user: { id: "U1" }, channel: { id: "C1" } }),
      ).toEqual([]),
  );
  test.each([["' OR 1=1"], [{ $ne: 1 }], [""]])("a forged Stop button (%j) does nothing", async (value) =>
    expect(await reaching({ type: "button", action_id: "stop_turn", value }, { user: { id: "U1" }, channel: { id: "C1" } })).toEqual([]),
  );
});

describe("every listener by every kind of author", () => {
  const person = (more: Partial<Person>): Person => ({
    id: personId("U1"),
    name: "alice",
    displayName: "Alice",
    role: "member",
    isBot: false,
    deactivated: false,
    ...more,
  });
  const payloads: Record<string, (user: string, more?: object) => [Record<string, unknown>, Record<string, unknown>]> = {
    app_mention: (user, more) => [{ ...base, type: "app_mention", channel: "C1", text: "<@UBOT> hi", user, ...more }, {}],
    message: (user, more) => [{ ...base, user, ...more }, {}],
    retry_turn: (user) => [
      { type: "button", action_id: "retry_turn", value: newId() },
      { user: { id: user }, channel: { id: "C1" } },
    ],
    stop_turn: (user) => [
      { type: "button", action_id: "stop_turn", value: newId() },
      { user: { id: user }, channel: { id: "C1" } },
    ],
    regenerate_turn: (user) => [
      { type: "button", action_id: "regenerate_turn", value: `${newId()} 0` },
      { user: { id: user }, channel: { id: "C1" } },
    ],
    agent_session_stopped: (user) => [
      { type: "agent_session_stopped", channel: "C1", user, thread_ts: "1.0", streaming_message_ts: ["2.0"], event_ts: "3.0" },
      {},
    ],
    app_uninstalled: () => [{ type: "app_uninstalled" }, { event_time: 1_614_847_360 }],
    tokens_revoked: (user) => [
      { type: "tokens_revoked", tokens: { oauth: ["UBOT"], bot: [user === "U1" ? "UBOT" : "U9"] } },
      { event_time: 1_614_847_360 },
    ],
    member_joined_channel: (user) => [{ type: "member_joined_channel", user, channel: "C1", team: "T1", event_ts: "3.0" }, {}],
    file_deleted: () => [{ type: "file_deleted", file_id: "F1", event_ts: "3.0" }, {}],
    file_change: () => [{ type: "file_change", file_id: "F1", file: { id: "F1" }, event_ts: "3.0" }, {}],
    file_shared: () => [{ type: "file_shared", file_id: "F1", user_id: "U1", channel_id: "C1", event_ts: "3.0" }, {}],
    file_unshared: () => [{ type: "file_unshared", file_id: "F1", user_id: "U1", channel_id: "C1", event_ts: "3.0" }, {}],
    channel_left: () => [{ type: "channel_left", channel: "C1", event_ts: "3.0" }, {}],
    group_left: () => [{ type: "group_left", channel: "G1", event_ts: "3.0" }, {}],
    channel_shared: () => [{ type: "channel_shared", connected_team_id: "T2", channel: "C1", event_ts: "3.0" }, {}],
    "/footnote": (user) => [{ command: "/footnote", text: "tools", user_id: user, channel_id: "C1", trigger_id: "1.2.3" }, {}],
  };
  for (const action of Object.values(approvalActions)) {
    payloads[action] = (user) => [
      { type: "button", action_id: action, value: newId() },
      { user: { id: user }, trigger_id: "1.2.3", channel: { id: "C1" }, message: { thread_ts: "1.0" } },
    ];
  }
  payloads[editedForm] = (user) => {
    const view = { id: "V1", hash: "h", type: "modal", callback_id: editedForm, private_metadata: newId() };
    return [view, { user: { id: user }, trigger_id: "1.2.3", view }];
  };
  for (const action of Object.keys(controls)) {
    payloads[action] = (user) => [
      { type: "button", action_id: action, value: newId() },
      { user: { id: user }, trigger_id: "1.2.3", channel: { id: "C1" }, container: { message_ts: "1.0" } },
    ];
  }
  for (const form of Object.keys(forms)) {
    const view = { id: "V1", hash: "h", type: "modal", callback_id: form };
    payloads[form] = (user) => [view, { user: { id: user }, trigger_id: "1.2.3", view }];
  }
  for (const shortcut of Object.keys(shortcuts)) {
    const action = {
      type: "message_action",
      callback_id: shortcut,
      trigger_id: "1.2.3",
      channel: { id: "C1" },
      message: { ts: "1.0", user: "U2" },
    };
    payloads[shortcut] = (user) => [
      { ...action, user: { id: user } },
      { ...action, user: { id: user } },
    ];
  }
  payloads.app_home_opened = (user) => [{ type: "app_home_opened", user, tab: "home" }, {}];
  payloads["suggest channel_template"] = (user) => [{ type: "suggest channel_template" }, { user: { id: user }, value: "sup" }];
  const names = listeners.map(({ on }) => nameOf(on));

  test("the table covers every listener", () => expect(names.sort()).toEqual(Object.keys(payloads).sort()));

  test.each(names)("%s: a member is heard", async (name) =>
    expect(await reaching(...(payloads[name]?.("U1") ?? [{}, {}]))).toHaveLength(1),
  );
  // Nobody is the author of Slack's word that the app was removed, a channel shared, or a file there is another.
  const slacksWord = /^(?:app_uninstalled|channel_shared|file_.*|.*_left)$/;
  test.each(names.filter((name) => !slacksWord.test(name)))("%s: the bot itself is not", async (name) =>
    expect(await reaching(...(payloads[name]?.("UBOT") ?? [{}, {}]))).toEqual([]),
  );
  test.each(["app_mention", "message"])("%s: another bot is not", async (name) =>
    expect(await reaching(...(payloads[name]?.("U2", { bot_id: "B2" }) ?? [{}, {}]))).toEqual([]),
  );
  // A click only tries a turn again that its own asker began, and is then judged as the question was.
  test.each([
    ["a member's question is asked", person({}), { kind: "ask", text: "hi" }],
    ["a guest's question is asked", person({ role: "guest" }), { kind: "ask", text: "hi" }],
    ["an outsider gets a fixed sentence", person({ role: "outsider" }), { kind: "refuse", code: "PERSON_IS_OUTSIDER" }],
    ["another bot gets nothing", person({ isBot: true }), { kind: "ignore" }],
    ["a closed account gets nothing", person({ deactivated: true }), { kind: "ignore" }],
    ["somebody Slack does not know, or cannot tell of, is refused", undefined, { kind: "refuse", code: "PERSON_UNKNOWN" }],
  ])("whichever way it came: %s", async (_name, found, prepared) => {
    const turn: StartedTurn = {
      id: turnId(newId()),
      channel: channelId("C1"),
      thread: messageTs("1.0"),
      ts: messageTs("1.0"),
      person: personId("U1"),
      text: "<@UBOT> hi",
      earlierAttempts: 0,
      joinsThread: false,
    };
    const directory = { person: async (id: PersonId) => (id === "U1" ? found : undefined), channelName: async () => undefined };
    const unused = undefined as never;
    const parts = { directory, rows: unused, slack: unused, bot: personId("UBOT"), counterQuestion: "?", log: silentLogger };
    expect(await prepareTurn(turn, parts)).toEqual(prepared);
  });

  test.each([
    [
      "beside a channel",
      {
        entities: [
          { type: "slack#/types/canvas_id", value: "F1" },
          { type: "slack#/types/channel_id", value: "C7" },
        ],
      },
      "C7",
    ],
    ["beside nothing", {}, undefined],
    ["beside something forged", { entities: [{ type: "slack#/types/channel_id", value: { $ne: 1 } }] }, undefined],
    ["with a context of another form", "C7", undefined],
  ])("the messages tab, opened %s, gets questions to begin with, and no Home is published", async (_, context, viewing) => {
    const opened = { type: "app_home_opened", user: "U1", channel: "D1", tab: "messages", context };
    expect(await reaching(opened)).toEqual([{ person: "U1", viewing }]);
  });

  test.each(["' OR 1=1", { $ne: 1 }, ["a"], "", 7])("a button with a forged value (%j) does nothing", async (value) => {
    const event = { type: "button", action_id: "retry_turn", value };
    expect(await reaching(event, { user: { id: "U1" }, channel: { id: "C1" } })).toEqual([]);
  });
});

const shared = process.env.FOOTNOTE_SHARED ?? join(import.meta.dirname, "../../../../shared");
const recorded = join(shared, "data/slack/tests");

describe("recorded payloads", () => {
  if (!existsSync(recorded)) {
    test("are not at hand (set FOOTNOTE_SHARED)", () => expect(existsSync(recorded)).toBe(false));
    return;
  }
  const files = readdirSync(recorded).filter((file) => /message|app_mention/.test(file) && !/message_action/.test(file));
  const read = (file: string) => JSON.parse(readFileSync(join(recorded, file), "utf8")) as Record<string, unknown>;

  test.each(files)("%s starts something exactly when a person wrote it", async (file) => {
    const payload = read(file);
    const event = (payload.event ?? payload) as Record<string, unknown>;
    const kinds = [undefined, "file_share", "thread_broadcast", "me_message"];
    const written =
      kinds.includes(event.subtype as string | undefined) &&
      !event.bot_id &&
      !event.bot_profile &&
      !event.edited &&
      event.user &&
      event.channel;
    const stored = (await reaching(event)).filter((one) => !("what" in one));
    if (!written) expect(stored).toEqual([]);
    else if (event.type === "app_mention" || event.channel_type === "im") expect(stored).toHaveLength(1);
    else expect(stored.length).toBeLessThanOrEqual(1);
  });
});
