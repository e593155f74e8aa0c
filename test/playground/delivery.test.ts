import { createHmac } from "node:crypto";
import { WebSocket } from "ws";
import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import type { Json } from "../../playground/server/state.ts";
import { until } from "../fakes/until.ts";
import { httpApp, type Received, socketApp } from "./bare-apps.ts";
import { callWith, cleanUp, startSlack } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

const hello = { workspace: "acme", as: "alice", channel: "general", text: "hello" };

describe("over signed HTTP", () => {
  it("each request carries the time and a signature over the exact body", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ clock });
    const app = await httpApp(() => ({ status: 200 }));
    slack.deliverBy({ mode: "http", url: app.url });
    slack.post(hello);
    await slack.waitFor(() => slack.acks.length === 1);
    const [request] = app.received as [Received];
    const timestamp = request.headers["x-slack-request-timestamp"];
    const expected = createHmac("sha256", slack.signingSecret).update(`v0:${timestamp}:${request.body}`).digest("hex");
    expect(request.headers["x-slack-signature"]).toBe(`v0=${expected}`);
    expect(request.headers["x-slack-retry-num"]).toBeUndefined();
    expect(Number(timestamp) * 1_000).toBe(clock.now().getTime());
  });

  it("an event that is not acknowledged comes again with the same id, its number and the reason", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ clock, retryDelaysMs: [400, 0, 0] });
    const app = await httpApp((index) => [undefined, { status: 500 }, { status: 200 }][index]);
    slack.deliverBy({ mode: "http", url: app.url });
    slack.post(hello);
    await until(() => app.received.length === 1);
    clock.advance(400);
    await slack.waitFor(() => slack.acks.length === 3);
    expect(app.received.map(({ headers }) => [headers["x-slack-retry-num"], headers["x-slack-retry-reason"]])).toEqual([
      [undefined, undefined],
      ["1", "http_timeout"],
      ["2", "http_error"],
    ]);
    expect(new Set(app.received.map(({ body }) => JSON.parse(body).event_id)).size).toBe(1);
    expect(slack.acks.map((ack) => ack.outcome)).toEqual(["http_timeout", "http_error", "acknowledged"]);
    expect(slack.acks.map((ack) => ack.ms)).toEqual([400, 0, 0]);
  });

  it("nothing comes again after the last attempt, nor when the app asked for no retry", async () => {
    const slack = await startSlack({ clock: new ManualClock(), retryDelaysMs: [2_000, 0, 0] });
    const failing = await httpApp(() => ({ status: 500 }));
    slack.deliverBy({ mode: "http", url: failing.url });
    await slack.deliver({ type: "event_callback", event_id: "Ev1", event: { type: "message" } });
    expect(failing.received).toHaveLength(3);
    const declining = await httpApp(() => ({ status: 500, headers: { "x-slack-no-retry": "1" } }));
    slack.deliverBy({ mode: "http", url: declining.url });
    await slack.deliver({ type: "event_callback", event_id: "Ev2", event: { type: "message" } });
    expect(declining.received).toHaveLength(1);
  });

  it("an app that is not there is tried again too", async () => {
    const slack = await startSlack({ clock: new ManualClock(), retryDelaysMs: [400, 0] });
    slack.deliverBy({ mode: "http", url: "http://127.0.0.1:9/slack/events" });
    const [last] = await slack.deliver({ type: "event_callback", event_id: "Ev1", event: { type: "message" } });
    expect(last?.outcome).toBe("connection_failed");
    expect(slack.acks).toHaveLength(2);
  });

  it("the address is verified by a challenge", async () => {
    const slack = await startSlack();
    const right = await httpApp((_index, { body }) => ({ status: 200, body: JSON.parse(body).challenge }));
    expect(await slack.deliverBy({ mode: "http", url: right.url })?.verifyUrl()).toBe(true);
    const wrong = await httpApp(() => ({ status: 200, body: "hello" }));
    expect(await slack.deliverBy({ mode: "http", url: wrong.url })?.verifyUrl()).toBe(false);
  });

  it("commands come once, as a form; no acknowledgement is shown to the person as a failure", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ clock, retryDelaysMs: [400, 0, 0] });
    const app = await httpApp((index) => (index === 0 ? { status: 200, body: "Done" } : undefined));
    slack.deliverBy({ mode: "http", url: app.url });
    const at = { workspace: "acme", as: "alice", channel: "general", command: "/footnote", text: "usage" };
    await slack.command(at);
    expect(new URLSearchParams(app.received[0]?.body).get("command")).toBe("/footnote");
    const second = slack.command(at);
    await until(() => app.received.length === 2);
    clock.advance(400);
    expect((await second).outcome).toBe("http_timeout");
    expect(app.received).toHaveLength(2);
    expect(slack.messages({ workspace: "acme", channel: "general" }).map(({ text, ephemeralTo }) => [text, ephemeralTo])).toEqual([
      ["Done", slack.workspace("acme").person("alice")],
      ['/footnote failed with the error "operation_timeout"', slack.workspace("acme").person("alice")],
    ]);
  });
});

describe("over Socket Mode", () => {
  it("an event that is not acknowledged comes again in a new envelope with the same event id", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ clock, retryDelaysMs: [400, 0] });
    const { frames } = await socketApp(slack, (_frame, index) => index === 1);
    slack.post(hello);
    await until(() => frames.length === 1);
    clock.advance(400);
    await slack.waitFor(() => slack.acks.length === 2);
    expect(frames.map((frame) => [frame.type, frame.retry_attempt, frame.retry_reason])).toEqual([
      ["events_api", 0, ""],
      ["events_api", 1, "timeout"],
    ]);
    expect(new Set(frames.map((frame) => frame.envelope_id)).size).toBe(2);
    expect(new Set(frames.map((frame) => (frame.payload as Json).event_id)).size).toBe(1);
  });

  it("each event goes to one of the open connections", async () => {
    const slack = await startSlack();
    const first = await socketApp(slack, () => true);
    const second = await socketApp(slack, () => true);
    await slack.waitFor(() => slack.connections === 2);
    for (let i = 0; i < 6; i++) slack.post(hello);
    await slack.waitFor(() => slack.acks.length === 6);
    expect([first.frames.length, second.frames.length]).toEqual([3, 3]);
  });

  it("an event waits for an app that is just connecting", async () => {
    const slack = await startSlack();
    slack.post(hello);
    const { frames } = await socketApp(slack, () => true);
    await slack.waitFor(() => slack.acks.length === 1);
    expect(slack.acks[0]?.outcome).toBe("acknowledged");
    expect(frames).toHaveLength(1);
  });

  it("a ticket opens one connection, a made-up one none", async () => {
    const slack = await startSlack();
    const { url } = await callWith(slack, slack.appToken, "apps.connections.open");
    const open = (address: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        cleanUp(() => socket.terminate());
        socket.once("open", () => resolve("open"));
        socket.once("error", () => resolve("refused"));
      });
    expect([await open(url as string), await open(url as string), await open(`${url}x`)]).toEqual(["open", "refused", "refused"]);
  });

  it("asks to reconnect, and says goodbye when it stops", async () => {
    const slack = await startSlack();
    const { socket } = await socketApp(slack, () => true);
    const asked = new Promise((resolve) => {
      socket.on("message", (data) => {
        const { type, reason } = JSON.parse(String(data));
        if (type === "disconnect") resolve(reason);
      });
    });
    await slack.waitFor(() => slack.connections === 1);
    slack.disconnect("refresh_requested");
    expect(await asked).toBe("refresh_requested");
    expect(slack.connections).toBe(0);
    const { socket: other } = await socketApp(slack, () => true);
    const closed = new Promise((resolve) => other.once("close", resolve));
    await slack.stop();
    expect(await closed).toBe(1000);
  });
});

describe("events", () => {
  const sent = (slack: FakeSlack) => slack.envelopes.map((envelope) => envelope.event as Json);

  it("come twice for a mention in a channel, once in a direct message", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    slack.post({ ...hello, text: "@footnote hello" });
    expect(sent(slack).map((event) => [event.type, event.channel_type])).toEqual([
      ["app_mention", undefined],
      ["message", "channel"],
    ]);
    slack.post({ ...hello, channel: "direct", text: "@footnote hello" });
    expect(
      sent(slack)
        .slice(2)
        .map((event) => [event.type, event.channel_type]),
    ).toEqual([["message", "im"]]);
    slack.post({ ...hello, channel: "board", text: "hello" });
    expect(sent(slack).at(-1)).toMatchObject({ type: "message", channel_type: "group" });
  });

  it("do not come from channels the bot is not in, nor from workspaces without the app", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    slack.join({ workspace: "acme", as: "footnote", channel: "general", leave: true });
    const before = slack.envelopes.length;
    slack.post({ ...hello, text: "@footnote hello" });
    expect(slack.envelopes).toHaveLength(before);
    slack.join({ workspace: "acme", as: "footnote", channel: "general" });
    slack.post(hello);
    expect(slack.envelopes).toHaveLength(before + 2);
    slack.administration.uninstall({ workspace: "acme" });
    const after = slack.envelopes.length;
    slack.post(hello);
    expect(slack.envelopes).toHaveLength(after);
  });

  it("tell of edits, previews and deletions as hidden messages", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const ts = slack.post({ ...hello, text: "see https://a.example" });
    slack.people.unfurl({ workspace: "acme", channel: "general", ts, url: "https://a.example" });
    slack.edit({ ...hello, ts, text: "see nothing" });
    slack.delete({ ...hello, ts });
    const [, preview, edit, deletion] = sent(slack);
    expect(preview).toMatchObject({
      subtype: "message_changed",
      hidden: true,
      message: { text: "see <https://a.example>" },
      previous_message: { text: "see <https://a.example>" },
    });
    expect(edit).toMatchObject({
      subtype: "message_changed",
      message: { text: "see nothing", edited: {} },
      previous_message: { text: "see <https://a.example>" },
    });
    expect(deletion).toMatchObject({ subtype: "message_deleted", deleted_ts: ts, previous_message: { text: "see nothing" } });
  });

  it("tell the bot of its own messages, marked as a bot's", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const { botToken, botUserId, channel } = slack.workspace("acme");
    const { ts } = await callWith(slack, botToken, "chat.postMessage", {
      channel: channel("general"),
      text: `<@${botUserId}> talks to itself`,
    });
    await callWith(slack, botToken, "chat.update", { channel: channel("general"), ts, text: "b" });
    expect(sent(slack)).toMatchObject([
      { type: "message", user: botUserId, bot_id: expect.stringMatching(/^B/) },
      { type: "message", subtype: "message_changed", message: { bot_id: expect.stringMatching(/^B/) } },
    ]);
  });

  it("tell of reactions and of who comes and goes", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const ts = slack.post(hello);
    slack.react({ ...hello, ts, name: "eyes" });
    slack.join({ workspace: "acme", as: "gina", channel: "general" });
    expect(sent(slack).slice(1)).toMatchObject([
      { type: "reaction_added", reaction: "eyes", item: { ts } },
      { type: "member_joined_channel", user: slack.workspace("acme").person("gina") },
    ]);
  });

  it("can be sent again, any number of times at once, the same to the last byte", async () => {
    const slack = await startSlack();
    const app = await httpApp(() => ({ status: 200 }));
    slack.deliverBy({ mode: "http", url: app.url });
    slack.post(hello);
    await slack.redeliver(String(slack.envelopes[0]?.event_id), { times: 3, concurrently: true });
    await slack.waitFor(() => app.received.length === 4);
    expect(new Set(app.received.map(({ body }) => body)).size).toBe(1);
  });
});
