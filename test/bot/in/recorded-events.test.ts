import { describe, expect, test } from "@jest/globals";
import { prepareTurn } from "../../../src/bot/turns/prepare-turn.ts";
import { channelId, messageTs, newId, type PersonId, personId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import { messagesReaching } from "./reaching.ts";

const base = { type: "message", channel: "D1", channel_type: "im", user: "U1", text: "hello", ts: "2.000001" };
const thread = { ...base, channel: "C1", channel_type: "channel", ts: "5.000001", thread_ts: "1.000001" };
const changed = (message: object) => ({ ...base, user: undefined, text: undefined, subtype: "message_changed", hidden: true, message });
const asAsked = (ts: string) => [expect.objectContaining({ asks: "always", ts })];

describe("H5-EVT-03: notices that carry a person and a text", () => {
  test.each(["pinned_item", "channel_join", "channel_topic", "reminder_add", "huddle_thread", "x_new_notice"])(
    "%s: starts nothing",
    async (subtype) =>
      expect(await messagesReaching({ ...base, subtype, text: "<@U1> pinned a message to this conversation." })).toEqual([]),
  );
  test.each([undefined, "file_share", "thread_broadcast", "me_message"])("%s: is what people write", async (subtype) =>
    expect(await messagesReaching({ ...base, subtype })).toEqual(asAsked(base.ts)),
  );
});

test("H5-EVT-05: two bots in one thread: neither another bot's words nor our own start anything", async () => {
  const other = { ...thread, bot_id: "B2", app_id: "A2", user: "UB2", text: "<@UBOT> thanks!" };
  expect(await messagesReaching(other)).toEqual([]);
  expect(await messagesReaching({ ...other, type: "app_mention" })).toEqual([]);
  expect(await messagesReaching({ ...thread, bot_id: "B1", user: "UBOT", text: "Our answer." })).toEqual([]);
  expect(await messagesReaching({ ...thread, user: "UBOT", text: "Our answer." })).toEqual([]);
});

test("H5-EVT-06: the preview of an address in our own answer starts nothing", async () => {
  const answer = { bot_id: "B1", text: "see <https://example.com>", ts: "2.000001" };
  expect(await messagesReaching({ ...changed({ ...answer, attachments: [{}] }), previous_message: answer })).toEqual([]);
});

test("H5-EVT-07: a reply that is also sent to the channel is asked once, in its thread", async () => {
  const reply = { ...base, subtype: "thread_broadcast", text: "and now?", ts: "3.000001", thread_ts: "1.000001" };
  expect(await messagesReaching(reply)).toEqual([expect.objectContaining({ asks: "always", ts: reply.ts, thread: "1.000001" })]);
  const { channel, channel_type, ...message } = reply;
  expect(await messagesReaching({ ...changed(message), previous_message: message })).toEqual([]);
});

test.each(["summarise this", ""])("H5-EVT-08: a file with the words %j is a question", async (text) => {
  const files = [{ id: "F1", name: "a.pdf", mimetype: "application/pdf", url_private: "https://files.example/F1" }];
  expect(await messagesReaching({ ...base, subtype: "file_share", text, files })).toEqual(asAsked(base.ts));
});

describe("H5-EVT-09: what is left when the mention is taken away", () => {
  const people = new Map([
    ["UBOT", "footnote"],
    ["U1", "alice"],
    ["U2", "bob"],
  ]);
  const asked = async (text: string) => {
    const [stored] = await messagesReaching({ ...thread, type: "app_mention", text });
    const { ts = messageTs(""), thread: of = ts } = stored ?? {};
    const turn = { id: turnId(newId()), channel: channelId("C1"), thread: of, ts, person: personId("U1"), text, earlierAttempts: 0 };
    const directory = {
      person: async (id: PersonId): Promise<Person> => ({
        id,
        name: people.get(id) ?? "",
        displayName: "",
        role: "member",
        isBot: false,
        deactivated: false,
      }),
      channelName: async () => undefined,
    };
    const parts = { directory, rows: undefined as never, slack: undefined as never, bot: personId("UBOT"), log: silentLogger };
    return prepareTurn({ ...turn, joinsThread: false }, { ...parts, counterQuestion: "What would you like to know?" });
  };

  test.each(["<@UBOT>", "<@UBOT>   \n"])("%j: a counter-question, never an empty prompt", async (text) =>
    expect(await asked(text)).toEqual({ kind: "reply", text: "What would you like to know?" }),
  );
  test("in mid-sentence names stand for ids", async () =>
    expect(await asked("ask <@UBOT> or <@U2> about it")).toEqual({ kind: "ask", text: "ask @footnote or @bob about it" }));
});
