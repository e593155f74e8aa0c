import { applyEvent, arrange, type Scope } from "../../playground/ui/conversation.ts";
import type { ConversationEvent, Message } from "../../playground/ui/page-api.ts";

const message = (ts: string, more: Partial<Message> = {}): Message => ({ ts, userId: "U1", text: ts, ...more });
const event = (type: ConversationEvent["type"], about: Partial<Message>, channel = "C1"): ConversationEvent => ({
  type,
  channel,
  message: about,
});
const channelScope: Scope = { inChannel: (id) => id === "C1" };
const threadScope: Scope = { ...channelScope, thread: "1.0" };
const tss = (messages: readonly Message[]) => messages.map(({ ts }) => ts);

test("a channel shows its top level in order, a thread its first message and replies", () => {
  const all = [message("2.0", { threadTs: "1.0" }), message("3.0"), message("1.0", { threadTs: "1.0" })];
  expect(tss(arrange(all))).toEqual(["1.0", "3.0"]);
  expect(tss(arrange(all, "1.0"))).toEqual(["1.0", "2.0"]);
});

test("a new message is added where it belongs, once", () => {
  const once = applyEvent([message("1.0")], event("message", message("2.0")), channelScope);
  expect(tss(once)).toEqual(["1.0", "2.0"]);
  expect(tss(applyEvent(once, event("message", message("2.0")), channelScope))).toEqual(["1.0", "2.0"]);
});

test("a message of another channel is not shown", () => {
  const before = [message("1.0")];
  expect(applyEvent(before, event("message", message("2.0"), "C2"), channelScope)).toBe(before);
});

test("a reply is counted in the channel and shown in its thread", () => {
  const reply = event("message", message("2.0", { threadTs: "1.0" }));
  expect(applyEvent([message("1.0")], reply, channelScope)).toEqual([message("1.0", { replyCount: 1 })]);
  expect(tss(applyEvent([message("1.0")], reply, threadScope))).toEqual(["1.0", "2.0"]);
});

test("a reply to another thread is not shown in this one", () => {
  expect(tss(applyEvent([message("1.0")], event("message", message("2.0", { threadTs: "0.5" })), threadScope))).toEqual(["1.0"]);
});

test("an edit replaces the text in place", () => {
  const after = applyEvent([message("1.0", { replyCount: 3 })], event("changed", { ts: "1.0", text: "new" }), channelScope);
  expect(after).toEqual([message("1.0", { text: "new", replyCount: 3 })]);
});

test("a deleted message goes", () => expect(applyEvent([message("1.0")], event("deleted", { ts: "1.0" }), channelScope)).toEqual([]));

test("an ephemeral message is marked", () =>
  expect(applyEvent([], event("ephemeral", message("2.0")), channelScope)).toEqual([message("2.0", { ephemeral: true })]));
