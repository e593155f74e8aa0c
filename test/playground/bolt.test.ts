import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { App, HTTPReceiver, SocketModeReceiver } from "@slack/bolt";
import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import { until } from "../fakes/until.ts";
import { cleanUp, startSlack } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

/** A Bolt app for both workspaces, as the product makes one: a token per team. */
async function startApp(
  slack: FakeSlack,
  transport: "socket" | "http",
  listen: (app: App) => void,
  beforeAuthorize = async () => {},
): Promise<void> {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const receiver =
    transport === "socket"
      ? new SocketModeReceiver({ appToken: slack.appToken, installerOptions: { clientOptions } })
      : new HTTPReceiver({ signingSecret: slack.signingSecret });
  const app = new App({
    receiver,
    clientOptions,
    convoStore: false,
    authorize: async ({ teamId }) => {
      await beforeAuthorize();
      const workspace = ["acme", "globex"].map((name) => slack.workspace(name)).find((candidate) => candidate.teamId === teamId);
      if (!workspace) throw new Error("unknown team");
      return { botToken: workspace.botToken, botUserId: workspace.botUserId, teamId: workspace.teamId };
    },
  });
  listen(app);
  const server = await app.start(...((transport === "http" ? [{ port: 0, host: "127.0.0.1" }] : []) as []));
  if (transport === "http") {
    const { port } = (server as Server).address() as AddressInfo;
    slack.deliverBy({ mode: "http", url: `http://127.0.0.1:${port}/slack/events` });
  }
  cleanUp(() => app.stop());
}

describe.each(["socket", "http"] as const)("a Bolt app over %s", (transport) => {
  it("hears a mention in each workspace and answers in its thread", async () => {
    const slack = await startSlack();
    await startApp(slack, transport, (app) => {
      app.event("app_mention", async ({ event, client }) => {
        const { user } = await client.users.info({ user: event.user as string });
        const posted = await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: `Hello ${user?.name}` });
        await client.chat.update({ channel: event.channel, ts: posted.ts as string, text: `Hello ${user?.name}!` });
      });
    });
    for (const workspace of ["acme", "globex"]) {
      const ts = slack.post({ workspace, as: "bob", channel: "general", text: "@footnote hi & bye" });
      const answer = await slack.waitFor(() =>
        slack.messages({ workspace, channel: "general", thread: ts }).find((message) => message.text === "Hello bob!"),
      );
      expect(answer.revisions.map((revision) => revision.text)).toEqual(["Hello bob", "Hello bob!"]);
      expect(slack.messages({ workspace, channel: "general" })[0]?.text).toBe(`<@${slack.workspace(workspace).botUserId}> hi &amp; bye`);
    }
    expect(slack.problems).toEqual([]);
    expect(slack.acks.every((ack) => ack.outcome === "acknowledged")).toBe(true);
  });

  it("gets buttons and slash commands and answers through response_url", async () => {
    const slack = await startSlack();
    await startApp(slack, transport, (app) => {
      app.command("/footnote", async ({ ack, respond, command }) => {
        await ack();
        await respond({ text: `You said ${command.text}` });
      });
      app.action("retry", async ({ ack, respond, body }) => {
        await ack();
        await respond({ text: `${body.user.id} pressed`, response_type: "in_channel" });
      });
      app.message("buttons", async ({ say }) => {
        await say({
          text: "b",
          blocks: [
            {
              type: "actions",
              elements: [{ type: "button", action_id: "retry", value: "1", text: { type: "plain_text", text: "Retry" } }],
            },
          ],
        });
      });
    });
    const at = { workspace: "acme", as: "alice", channel: "general" };
    await slack.waitFor(() => transport === "http" || slack.connections > 0);
    const attempt = await slack.command({ ...at, command: "/footnote", text: "usage" });
    expect(attempt.outcome).toBe("acknowledged");
    const reply = await slack.waitFor(() =>
      slack.messages({ workspace: "acme", channel: "general" }).find((message) => message.text === "You said usage"),
    );
    expect(reply.ephemeralTo).toBe(slack.workspace("acme").person("alice"));

    slack.post({ ...at, text: "buttons please" });
    const message = await slack.waitFor(() =>
      slack.messages({ workspace: "acme", channel: "general" }).find((candidate) => candidate.text === "b"),
    );
    await slack.click({ ...at, ts: message.ts, actionId: "retry" });
    const pressed = `${slack.workspace("acme").person("alice")} pressed`;
    await slack.waitFor(() => slack.messages({ workspace: "acme", channel: "general" }).some((candidate) => candidate.text === pressed));
  });

  it("opens a modal, shows what is wrong with it, and closes it when it is right", async () => {
    const slack = await startSlack();
    const text = (words: string) => ({ type: "plain_text" as const, text: words });
    await startApp(slack, transport, (app) => {
      app.command("/footnote", async ({ ack, client, command }) => {
        await ack();
        const input = {
          type: "input" as const,
          block_id: "b",
          label: text("Name"),
          element: { type: "plain_text_input" as const, action_id: "name" },
        };
        await client.views.open({
          trigger_id: command.trigger_id,
          view: { type: "modal", callback_id: "f", title: text("T"), submit: text("Save"), blocks: [input] },
        });
      });
      app.view("f", async ({ ack, view }) => {
        if (view.state.values.b?.name?.value) await ack();
        else await ack({ response_action: "errors", errors: { b: "Say something" } });
      });
    });
    await slack.waitFor(() => transport === "http" || slack.connections > 0);
    await slack.command({ workspace: "acme", as: "alice", channel: "general", command: "/footnote", text: "" });
    const { views } = slack.people.workspace("acme");
    await slack.waitFor(() => views.size === 1 && slack.calls.at(-1)?.status === 200);
    const submit = (value: string) =>
      slack.screens.submit({ workspace: "acme", as: "alice", values: { b: { name: { type: "plain_text_input", value } } } });
    expect((await submit("")).body).toEqual({ response_action: "errors", errors: { b: "Say something" } });
    expect(views.size).toBe(1);
    expect((await submit("x")).outcome).toBe("acknowledged");
    expect(views.size).toBe(0);
    await expect(submit("x")).rejects.toThrow("no modal open");
  });

  it("streams an answer with Bolt's own streamer", async () => {
    const slack = await startSlack();
    await startApp(slack, transport, (app) => {
      app.event("app_mention", async ({ event, client, context }) => {
        const recipient = { recipient_team_id: context.teamId as string, recipient_user_id: event.user as string };
        await client.assistant.threads.setStatus({ channel_id: event.channel, thread_ts: event.ts, status: "is thinking" });
        const stream = client.chatStream({ channel: event.channel, thread_ts: event.ts, buffer_size: 1, ...recipient });
        for (const word of ["one ", "two ", "three"]) await stream.append({ markdown_text: word });
        await stream.stop({ blocks: [{ type: "divider" }] });
      });
    });
    const ts = slack.post({ workspace: "acme", as: "bob", channel: "general", text: "@footnote count" });
    const answer = await slack.waitFor(() =>
      slack.messages({ workspace: "acme", channel: "general", thread: ts }).find((message) => message.stream?.state === "completed"),
    );
    expect(answer.text).toBe("one two three");
    expect(answer.revisions.length).toBeGreaterThan(3);
    expect(slack.problems).toEqual([]);
  });

  it("gets an event again that it did not acknowledge in time, with the number and the reason", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ clock, retryDelaysMs: [400, 0] });
    let asked = 0;
    const heard: (number | string | undefined)[] = [];
    await startApp(
      slack,
      transport,
      (app) => {
        app.use(async ({ context }) => {
          heard.push(context.retryNum, context.retryReason);
        });
      },
      // Bolt acknowledges after it has authorized: holding that up is how a slow app misses the three seconds.
      async () => {
        asked += 1;
        await slack.waitFor(() => slack.acks.length > 0);
      },
    );
    await slack.waitFor(() => transport === "http" || slack.connections > 0);
    slack.post({ workspace: "acme", as: "alice", channel: "general", text: "hello" });
    await until(() => asked === 1);
    clock.advance(400);
    await slack.waitFor(() => heard.length === 4 && slack.acks.length === 2);
    expect(heard.slice(0, 2).filter(Boolean).concat(heard.slice(2).filter(Boolean))).toEqual([
      1,
      transport === "http" ? "http_timeout" : "timeout",
    ]);
    expect(slack.acks.map((ack) => [ack.outcome, ack.retry])).toEqual([
      ["http_timeout", 0],
      ["acknowledged", 1],
    ]);
  });
});
