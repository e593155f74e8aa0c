import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import type { Json } from "../../playground/server/state.ts";
import { apiOf, startSlack } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

const modal = { type: "modal", title: { type: "plain_text", text: "Tools" }, blocks: [{ type: "divider" }] };
const alice = { workspace: "acme", as: "alice", channel: "general" };

/** Has a payload made, as a command does. */
async function startCommand(clock = new ManualClock()) {
  const slack = await startSlack({ clock });
  const payload = slack.interactions.command(
    slack.people.workspace("acme"),
    slack.people.place(alice).person,
    slack.people.place(alice).channel,
    "/footnote",
    "",
  );
  return { slack, clock, payload, call: apiOf(slack, "acme") };
}

const respond = async (payload: Json, body: Json) =>
  (
    await fetch(payload.response_url as string, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).status;

const inGeneral = (slack: FakeSlack) => slack.messages({ workspace: "acme", channel: "general" });

describe("a response_url", () => {
  it("writes to the person alone unless told otherwise, five times", async () => {
    const { slack, payload } = await startCommand();
    expect(await respond(payload, { text: "for you" })).toBe(200);
    expect(await respond(payload, { text: "for all", response_type: "in_channel" })).toBe(200);
    expect(inGeneral(slack).map(({ text, ephemeralTo }) => [text, ephemeralTo])).toEqual([
      ["for you", slack.workspace("acme").person("alice")],
      ["for all", undefined],
    ]);
    expect(await respond(payload, {})).toBe(400);
    for (let i = 0; i < 2; i++) expect(await respond(payload, { text: "again" })).toBe(200);
    expect(await respond(payload, { text: "once too often" })).toBe(404);
  });

  it("is good for half an hour", async () => {
    const { clock, payload } = await startCommand();
    clock.advance(30 * 60_000);
    expect(await respond(payload, { text: "in time" })).toBe(200);
    clock.advance(1);
    expect(await respond(payload, { text: "late" })).toBe(404);
  });

  it("of a button replaces or deletes the button's message", async () => {
    const { slack, call } = await startCommand();
    const { person, channel, workspace } = slack.people.place(alice);
    const blocks = [{ type: "actions", elements: [{ type: "button", action_id: "a", text: { type: "plain_text", text: "A" } }] }];
    await call("chat.postMessage", { channel: channel.id, text: "t", blocks });
    const press = () =>
      slack.interactions.blockActions(workspace, person, channel, inGeneral(slack)[0] as never, blocks[0]?.elements[0] as Json, "b");
    expect(await respond(press(), { text: "replaced", replace_original: true })).toBe(200);
    expect(inGeneral(slack)).toMatchObject([{ text: "replaced", blocks: [] }]);
    expect(await respond(press(), { delete_original: true })).toBe(200);
    expect(inGeneral(slack)).toEqual([]);
  });
});

describe("a modal", () => {
  it("opens with a trigger id, once and within three seconds, in its own workspace", async () => {
    const { slack, payload, call, clock } = await startCommand();
    const open = (trigger_id: unknown) => call("views.open", { trigger_id, view: modal });
    expect(await apiOf(slack, "globex")("views.open", { trigger_id: payload.trigger_id, view: modal })).toEqual({
      ok: false,
      error: "invalid_trigger_id",
    });
    expect(await open(payload.trigger_id)).toMatchObject({ ok: true, view: { type: "modal" } });
    expect(await open(payload.trigger_id)).toEqual({ ok: false, error: "exchanged_trigger_id" });
    expect(await open("1.2.made-up")).toEqual({ ok: false, error: "invalid_trigger_id" });
    const { person, channel, workspace } = slack.people.place(alice);
    const late = slack.interactions.command(workspace, person, channel, "/footnote", "");
    clock.advance(3_001);
    expect(await open(late.trigger_id)).toEqual({ ok: false, error: "expired_trigger_id" });
  });

  it("keeps to the lengths of titles, ids and private metadata", async () => {
    const { slack, call } = await startCommand();
    const { person, channel, workspace } = slack.people.place(alice);
    const open = (more: Json) =>
      call("views.open", {
        trigger_id: slack.interactions.command(workspace, person, channel, "/f", "").trigger_id,
        view: { ...modal, ...more },
      });
    expect(
      await open({
        title: { type: "plain_text", text: "x".repeat(24) },
        callback_id: "c".repeat(255),
        private_metadata: "p".repeat(3_000),
      }),
    ).toMatchObject({ ok: true });
    for (const wrong of [
      { title: { type: "plain_text", text: "x".repeat(25) } },
      { callback_id: "c".repeat(256) },
      { private_metadata: "p".repeat(3_001) },
      { blocks: undefined },
      { blocks: [{ type: "input", label: { type: "plain_text", text: "l" }, element: { type: "plain_text_input", action_id: "t" } }] },
    ]) {
      expect(await open(wrong)).toMatchObject({ ok: false, error: "invalid_arguments" });
    }
    expect(await open({ blocks: Array(101).fill({ type: "divider" }) })).toMatchObject({ error: "invalid_blocks" });
  });

  it("is changed only by who saw its newest state", async () => {
    const { payload, call } = await startCommand();
    const { view } = (await call("views.open", { trigger_id: payload.trigger_id, view: modal })) as { view: Json };
    const { view: second } = (await call("views.update", { view_id: view.id, hash: view.hash, view: modal })) as { view: Json };
    expect(await call("views.update", { view_id: view.id, hash: view.hash, view: modal })).toEqual({ ok: false, error: "hash_conflict" });
    expect(await call("views.update", { view_id: view.id, hash: second.hash, view: modal })).toMatchObject({ ok: true });
  });

  it("App Home is published for one person", async () => {
    const { slack, call } = await startCommand();
    const home = { type: "home", blocks: [{ type: "divider" }] };
    expect(await call("views.publish", { user_id: slack.workspace("acme").person("bob"), view: home })).toMatchObject({
      ok: true,
      view: { type: "home" },
    });
    expect(await call("views.publish", { user_id: slack.workspace("globex").person("bob"), view: home })).toEqual({
      ok: false,
      error: "user_not_found",
    });
    slack.screens.openHome({ workspace: "acme", as: "bob" });
    expect(slack.envelopes.at(-1)?.event).toMatchObject({ type: "app_home_opened", tab: "home", view: { blocks: [{ type: "divider" }] } });
  });
});
