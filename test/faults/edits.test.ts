import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { traceId } from "../../src/core/ids.ts";
import { type Ask, echo, until, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());
beforeEach(async () => {
  world = await World.start({}, db);
});
afterEach(() => world?.stop());

const at = { workspace: "acme", as: "alice", channel: "general" };
const post = (text: string) => world.slack.post({ ...at, text: `@footnote ${text}` });
const shown = (thread: string): string[] =>
  world.slack
    .messages({ workspace: "acme", channel: "general", thread })
    .filter(({ userId }) => userId === world.slack.workspace("acme").botUserId)
    .map(({ text, blocks }) => `${text}\n${JSON.stringify(blocks)}`);
const shows = (thread: string, text: string) => world.slack.waitFor(() => shown(thread).some((one) => one.includes(text)));
const statuses = async () => (await world.db.asOwner<{ status: string }>("SELECT status FROM turns")).map(({ status }) => status);

/** Begins, and waits to be stopped, as long as the question says so; else answers. */
const patient: Ask = async (question, sink, signal) => {
  if (!question.text.includes("slow")) return echo(question, sink, signal);
  await sink.write({ type: "answer-start", traceId: traceId("t") });
  await sink.write({ type: "text-delta", text: "A first sentence. And " });
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await sink.write({ type: "answer-stopped", text: "A first sentence. And " });
};

test("a question that is edited while it is answered is answered in its new wording, in the same message", async () => {
  const bot = await world.bot({ ask: patient, realSink: true });
  const ts = post("slow?");
  await shows(ts, "A first sentence.");
  world.slack.edit({ ...at, ts, text: "@footnote quick?" });
  await shows(ts, "Answer to: quick?");
  await world.idle();
  expect(shown(ts)).toHaveLength(1);
  expect(shown(ts)[0]).not.toContain("A first sentence.");
  expect(bot.questions.map(({ text }) => text)).toEqual(["slow?", "quick?"]);
  expect(await statuses()).toEqual(["answered"]);
});

test("a question that is edited later gets another answer in place of the first one; one that only gets a preview does not", async () => {
  const bot = await world.bot({ realSink: true });
  const ts = post("one?");
  await shows(ts, "Answer to: one?");
  await world.idle();
  world.slack.people.unfurl({ workspace: "acme", channel: "general", ts, url: "https://example.com" });
  world.slack.edit({ ...at, ts, text: "@footnote two?" });
  await shows(ts, "Answer to: two?");
  await world.idle();
  expect(shown(ts)).toHaveLength(1);
  expect(bot.questions.map(({ text }) => text)).toEqual(["one?", "two?"]);
});

test("a question that is deleted while it is answered is answered no further", async () => {
  await world.bot({ ask: patient, realSink: true });
  const ts = post("slow?");
  await shows(ts, "A first sentence.");
  world.slack.delete({ ...at, ts });
  await world.idle();
  expect(await statuses()).toEqual(["cancelled"]);
  expect(shown(ts)[0]).toContain("the question was deleted");
  expect(shown(ts)[0]).not.toMatch(/stop_turn|regenerate_turn/);
});

test("a question that is deleted while it waits is never asked, and nothing is posted for it", async () => {
  const bot = await world.bot({ ask: patient, realSink: true });
  const thread = post("slow?");
  await shows(thread, "A first sentence.");
  const waiting = world.slack.post({ ...at, text: "and two?", thread });
  while ((await world.turnCount()) < 2) await world.clock.sleep(10);
  world.slack.delete({ ...at, ts: waiting });
  await world.slack.waitFor(() => world.slack.acks.some(({ eventId }) => eventId === deletionOf(waiting)));
  world.slack.edit({ ...at, ts: thread, text: "@footnote quick?" });
  await shows(thread, "Answer to: quick?");
  await world.idle();
  expect(bot.questions.map(({ text }) => text)).toEqual(["slow?", "quick?"]);
  expect(shown(thread)).toHaveLength(1);
});
const deletionOf = (ts: string) =>
  world.slack.envelopes.find(({ event }) => (event as { deleted_ts?: string }).deleted_ts === ts)?.event_id ?? "none";

test("a file without a word gets a counter-question, with words the answer knows of it", async () => {
  const bot = await world.bot();
  const first = post("one?");
  await shows(first, "Answer to: one?");
  const envelope = world.slack.envelopes.find(({ event }) => (event as { ts?: string }).ts === first);
  const direct = world.slack.workspace("acme").direct("alice");
  const files = [{ id: "F1", name: "a.pdf", mimetype: "application/pdf" }];
  const event = { type: "message", subtype: "file_share", channel: direct, channel_type: "im", files };
  const user = world.slack.workspace("acme").person("alice");
  await world.slack.deliver({ ...envelope, event_id: "EvFile", event: { ...event, user, text: "", ts: first, event_ts: first } });
  await world.slack.deliver({
    ...envelope,
    event_id: "EvFileWords",
    event: { ...event, user, text: "summarise this", ts: "9.000001", event_ts: first },
  });
  await world.idle();
  expect(bot.questions.map(({ text, attachments }) => [text, attachments?.notes])).toEqual([
    ["one?", undefined],
    ["summarise this", ["F1 a.pdf"]],
  ]);
  const asked = world.slack.calls.filter(({ method }) => method === "chat.postMessage").map(({ args }) => String(args.text));
  expect(asked).toContain("What about a\\.pdf?");
});

test("an edit that Slack delivers before the message that it changes is what is asked; one beyond the limits is refused with a reason", async () => {
  const bot = await world.bot({ queueLimits: { perThread: 1, perTenant: 1, total: 1 } });
  const marker = post("marker?");
  await shows(marker, "Answer to: marker?");
  await world.idle();
  world.slack.edit({ ...at, ts: marker, text: "@footnote better?" });
  await shows(marker, "Answer to: better?");
  await world.idle();
  const later = (event: object) => JSON.parse(JSON.stringify(event).replaceAll(marker, `${Number(marker.split(".")[0]) + 1}.000001`));
  const envelopeOf = (found: (event: { ts?: string; type?: string; message?: { ts?: string; edited?: object } }) => boolean) =>
    world.slack.envelopes.find(({ event }) => found(event as { ts?: string }));
  const original = envelopeOf(({ ts, type }) => ts === marker && type === "app_mention");
  const edit = envelopeOf(({ message }) => message?.ts === marker && message.edited !== undefined);
  await world.slack.deliver({ ...later(edit as object), event_id: "EvEdit" });
  await world.slack.deliver({ ...later(original as object), event_id: "EvOriginal" });
  await world.idle();
  expect(bot.questions.map(({ text }) => text)).toEqual(["marker?", "better?", "better?"]);

  await world.db.asOwner(`INSERT INTO turn_queue (turn_id, tenant_id, thread_key, available_at)
    SELECT id, tenant_id, message_ts, 'infinity' FROM turns WHERE event_id = 'EvOriginal'`);
  world.slack.edit({ ...at, ts: marker, text: "@footnote one too many?" });
  await until(() => bot.refusals.length > 0);
  expect(bot.refusals).toEqual([{ at: expect.objectContaining({ thread: marker }), reason: "workspace-full" }]);
  await world.db.asOwner("DELETE FROM turn_queue");
  expect(shown(marker)[0]).toContain("Answer to: better?");
});

test("a reply that Slack delivers before the mention that began its thread is answered after it", async () => {
  const bot = await world.bot();
  const marker = post("marker?");
  await shows(marker, "Answer to: marker?");
  const envelope = world.slack.envelopes.find(({ event }) => (event as { ts?: string; type?: string }).ts === marker);
  const now = Number(marker.split(".")[0]);
  const [root, follow] = [`${now + 1}.000001`, `${now + 2}.000001`];
  const message = { ...(envelope?.event as object), type: "message", channel_type: "channel" };
  await world.slack.deliver({ ...envelope, event_id: "EvFollow", event: { ...message, text: "and two?", ts: follow, thread_ts: root } });
  await world.slack.deliver({ ...envelope, event_id: "EvRoot", event: { ...message, ts: root } });
  await world.idle();
  expect(bot.questions.map(({ text }) => text)).toEqual(["marker?", "marker?", "and two?"]);
});
