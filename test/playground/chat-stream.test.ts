import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import type { Json } from "../../playground/server/state.ts";
import { apiOf, startSlack } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

async function inThread() {
  const clock = new ManualClock();
  const slack = await startSlack({ clock });
  const acme = slack.workspace("acme");
  const channel = acme.channel("general");
  const thread = slack.post({ workspace: "acme", as: "bob", channel: "general", text: "question" });
  const recipient = { recipient_team_id: acme.teamId, recipient_user_id: acme.person("bob") };
  return { clock, slack, acme, channel, thread, recipient, call: apiOf(slack, "acme") };
}

const streamed = (slack: FakeSlack) => slack.messages({ workspace: "acme", channel: "general" }).at(-1);

describe("a streamed message", () => {
  it("grows with each append and ends with what stop adds", async () => {
    const { slack, call, channel, thread, recipient } = await inThread();
    const { ts } = await call("chat.startStream", { channel, thread_ts: thread, markdown_text: "Hel", ...recipient });
    expect(streamed(slack)?.stream?.state).toBe("in_progress");
    await call("chat.appendStream", { channel, ts, markdown_text: "lo" });
    const { message } = await call("chat.stopStream", { channel, ts, markdown_text: "!", blocks: [{ type: "divider" }] });
    expect(message).toMatchObject({ text: "Hello!", streaming_state: "completed", thread_ts: thread });
    expect((message as { blocks: Json[] }).blocks.map((block) => block.type)).toEqual(["markdown", "divider"]);
    expect(streamed(slack)?.revisions.map((revision) => revision.text)).toEqual(["", "Hel", "Hello", "Hello!"]);
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "x" })).toEqual({
      ok: false,
      error: "message_not_in_streaming_state",
    });
  });

  it("takes chunks, and replaces a task's card by its newer state", async () => {
    const { slack, call, channel, thread, recipient } = await inThread();
    const task = (status: string) => ({ type: "task_update", id: "t1", title: "Searching", status });
    const { ts } = await call("chat.startStream", { channel, thread_ts: thread, chunks: [task("in_progress")], ...recipient });
    await call("chat.appendStream", { channel, ts, chunks: [task("complete"), { type: "markdown_text", text: "Done" }] });
    expect(streamed(slack)?.blocks.map((block) => [block.type, block.status])).toEqual([
      ["task_card", "complete"],
      ["markdown", undefined],
    ]);
    expect(await call("chat.appendStream", { channel, ts, chunks: [{ type: "fireworks" }] })).toEqual({
      ok: false,
      error: "invalid_chunks",
    });
    expect(await call("chat.appendStream", { channel, ts })).toEqual({ ok: false, error: "no_text" });
  });

  it("in a channel needs a thread and its reader; in a direct message no reader", async () => {
    const { slack, call, channel, thread, recipient, acme } = await inThread();
    expect(await call("chat.startStream", { channel, ...recipient })).toEqual({ ok: false, error: "invalid_thread_ts" });
    expect(await call("chat.startStream", { channel, thread_ts: thread })).toEqual({ ok: false, error: "missing_recipient_team_id" });
    const team = { recipient_team_id: acme.teamId };
    expect(await call("chat.startStream", { channel, thread_ts: thread, ...team })).toEqual({
      ok: false,
      error: "missing_recipient_user_id",
    });
    const stranger = { ...recipient, recipient_user_id: acme.person("gina") };
    expect(await call("chat.startStream", { channel, thread_ts: thread, ...stranger })).toEqual({ ok: false, error: "user_not_found" });
    expect(await call("chat.startStream", { channel, thread_ts: thread, ...recipient, recipient_team_id: "T0NOWHERE" })).toEqual({
      ok: false,
      error: "team_not_found",
    });
    const root = slack.post({ workspace: "acme", as: "bob", channel: "direct", text: "question" });
    expect(await call("chat.startStream", { channel: acme.direct("bob"), thread_ts: root })).toMatchObject({ ok: true });
  });

  it("lives five minutes from its start, however often it is appended to", async () => {
    const { clock, call, channel, thread, recipient } = await inThread();
    const { ts } = await call("chat.startStream", { channel, thread_ts: thread, ...recipient });
    clock.advance(299_000);
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "a" })).toMatchObject({ ok: true });
    expect(await call("chat.update", { channel, ts, text: "b" })).toEqual({ ok: false, error: "streaming_state_conflict" });
    clock.advance(2_000);
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "a" })).toEqual({
      ok: false,
      error: "message_not_in_streaming_state",
    });
    expect(await call("chat.stopStream", { channel, ts })).toEqual({ ok: false, error: "message_not_in_streaming_state" });
    expect(await call("chat.update", { channel, ts, text: "b" })).toMatchObject({ ok: true });
  });

  it("holds about 11 kB in all and 12,000 characters a call", async () => {
    const { call, channel, thread, recipient, slack } = await inThread();
    const { ts } = await call("chat.startStream", { channel, thread_ts: thread, ...recipient });
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "x".repeat(12_001) })).toEqual({
      ok: false,
      error: "msg_too_long",
    });
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "x".repeat(10_900) })).toMatchObject({ ok: true });
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "x".repeat(200) })).toEqual({ ok: false, error: "msg_too_long" });
    expect(streamed(slack)?.text).toHaveLength(10_900);
    expect(await call("chat.stopStream", { channel, ts, markdown_text: "end" })).toMatchObject({ ok: true });
  });

  it("can be stopped by its reader, and the app is told", async () => {
    const { slack, call, channel, thread, recipient } = await inThread();
    const { ts } = await call("chat.startStream", { channel, thread_ts: thread, ...recipient });
    slack.people.stopStream({ workspace: "acme", as: "bob", channel: "general", ts: ts as string });
    expect(await call("chat.appendStream", { channel, ts, markdown_text: "more" })).toEqual({ ok: false, error: "stopped_by_user" });
    expect(slack.envelopes.at(-1)?.event).toMatchObject({ type: "agent_session_stopped", thread_ts: thread, streaming_message_ts: [ts] });
  });
});
