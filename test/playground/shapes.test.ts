import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import type { Json } from "../../playground/server/state.ts";
import { apiOf, callWith, startSlack } from "./harness.ts";

/** Payloads recorded from real workspaces; not part of this repository. Without them there is nothing to compare with. */
const folder = join(process.env.FOOTNOTE_SHARED ?? join(import.meta.dirname, "../../../shared"), "data/slack");
const withRecordings = existsSync(folder) ? describe : describe.skip;
const recorded = (file: string) => JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8")) as Json;
const first = (list: unknown) => (list as readonly unknown[])[0];
const keys = (value: unknown) => Object.keys(value as object).sort();

withRecordings("payloads have the fields that Slack's have (set FOOTNOTE_SHARED to the folder with recordings to run these)", () => {
  const at = { workspace: "acme", as: "alice", channel: "general" };
  const last = (slack: FakeSlack) => slack.envelopes.at(-1) as Json;

  it("a message in a channel, a reply, a direct message", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const { aiMention, followUp } = recorded("vercel-chat-replay/streaming-slack") as Record<string, Json>;
    const ts = slack.post({ ...at, text: "@footnote hi" });
    expect(keys(last(slack))).toEqual(keys(aiMention));
    expect(keys(last(slack).event)).toEqual(keys(aiMention?.event));
    slack.post({ ...at, text: "more", thread: ts });
    expect(keys(last(slack).event)).toEqual(keys(followUp?.event));
    const { directDM } = recorded("vercel-chat-replay/dm-slack-direct") as Record<string, Json>;
    slack.post({ ...at, channel: "direct", text: "hi" });
    expect(keys(last(slack).event)).toEqual(keys(directDM?.event));
    expect(keys(first(last(slack).authorizations))).toEqual(keys(first(directDM?.authorizations)));
  });

  it("a mention", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const { mention } = recorded("vercel-chat-replay/slack-multi-workspace-team1") as Record<string, Json>;
    slack.post({ ...at, text: "@footnote hi" });
    expect(keys(slack.envelopes[0]?.event)).toEqual(keys(mention?.event));
  });

  it("a message of the bot, a changed and a deleted one", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    const { ts } = await apiOf(slack, "acme")("chat.postMessage", { channel, text: "t", blocks: [{ type: "divider" }] });
    const { promptMessage } = recorded("vercel-chat-replay/streaming-slack") as Record<string, Json>;
    const allowed = [...keys(promptMessage?.event), "bot_profile"];
    expect(keys(last(slack).event).filter((key) => !allowed.includes(key))).toEqual([]);
    const { bot_profile: profile } = recorded("tests/message+extshared+channel+bot.1").event as Json;
    expect(keys((last(slack).event as Json).bot_profile)).toEqual([...keys(profile), "user_id"].sort());
    await apiOf(slack, "acme")("chat.update", { channel, ts, text: "u" });
    expect(keys(last(slack).event)).toEqual(keys(recorded("tests/bare.message.message_changed.1")));
    await apiOf(slack, "acme")("chat.delete", { channel, ts });
    expect(keys(last(slack).event)).toEqual(keys(recorded("tests/bare.message.message_deleted.1")));
  });

  it("a slash command, a pressed button, a sent modal", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const { workspace, person, channel } = slack.people.place(at);
    const { slashCommand, viewSubmission } = recorded("vercel-chat-replay/slash-commands-slack") as Record<string, Json>;
    const command = slack.interactions.command(workspace, person, channel, "/f", "");
    expect(keys(command)).toEqual(keys(slashCommand));
    const view = { type: "modal", title: { type: "plain_text", text: "T" }, blocks: [] };
    await callWith(slack, workspace.botToken, "views.open", { trigger_id: command.trigger_id, view });
    const [open] = [...workspace.views.values()];
    const submission = slack.interactions.viewSubmission(workspace, person, open as never, {});
    expect(keys(submission)).toEqual(keys(viewSubmission));
    expect(keys(submission.view)).toEqual(keys(viewSubmission?.view));

    const element = { type: "button", action_id: "a", value: "v", text: { type: "plain_text", text: "A" } };
    await apiOf(slack, "acme")("chat.postMessage", { channel: channel.id, text: "t", blocks: [{ type: "actions", elements: [element] }] });
    const pressed = slack.interactions.blockActions(workspace, person, channel, channel.messages[0] as never, element, "b");
    const { action } = recorded("vercel-chat-replay/actions-reactions-slack") as Record<string, Json>;
    for (const key of keys(action)) expect(pressed).toHaveProperty(key);
    expect(keys(first(pressed.actions))).toEqual([...keys(first(action?.actions)), "value"].sort());
    expect(keys(pressed.user)).toEqual(keys(action?.user));
    expect(keys(pressed.team)).toEqual(keys(action?.team));
  });

  it("answers of the Web API carry no field that Slack does not know", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const { channel, person, direct } = slack.workspace("acme");
    const known = (method: string, ...path: string[]) =>
      path.reduce<Json>((value, key) => value[key] as Json, recorded(`java-slack-sdk/api/${method}`));
    const strange = (ours: unknown, theirs: Json) => keys(ours).filter((key) => !(key in theirs));
    const user = (await call("users.info", { user: person("bob") })).user as Json;
    expect(strange(user, known("users.info", "user"))).toEqual([]);
    expect(strange(user.profile, known("users.info", "user", "profile"))).toEqual([]);
    for (const id of [channel("general"), direct("bob")]) {
      const fields = (await call("conversations.info", { channel: id })).channel as Json;
      const inDirect = ["user", "is_user_deleted", "is_open", "priority"];
      expect(
        strange(fields, known("conversations.info", "channel")).filter((key) => !(id === direct("bob") && inDirect.includes(key))),
      ).toEqual([]);
    }
    expect(strange(await call("auth.test"), known("auth.test"))).toEqual([]);
    expect(strange((await call("team.info")).team, known("team.info", "team"))).toEqual([]);
    expect(strange((await call("bots.info")).bot, known("bots.info", "bot"))).toEqual([]);
    const posted = await call("chat.postMessage", { channel: channel("general"), text: "t" });
    expect(strange(posted.message, known("chat.postMessage", "message"))).toEqual([]);
  });
});
