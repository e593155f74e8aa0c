import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import { startPlayground } from "../../playground/server/start.ts";
import type { Json } from "../../playground/server/state.ts";
import { socketApp } from "./bare-apps.ts";
import { apiOf, cleanUp, startSlack } from "./harness.ts";

const quick = { retryDelaysMs: [1] };
const api = (slack: FakeSlack, path: string) => `${slack.pageUrl}playground/api/${path}`;

async function read(slack: FakeSlack, query: Record<string, string>): Promise<Json> {
  return (await (await fetch(`${api(slack, "messages")}?${new URLSearchParams(query)}`)).json()) as Json;
}

async function send(slack: FakeSlack, path: string, body: Json, headers: Record<string, string> = {}) {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
  const response = await fetch(api(slack, path), init);
  return { status: response.status, body: response.status === 403 ? undefined : ((await response.json()) as Json) };
}

const texts = (answer: Json) => (answer.messages as Json[]).map((message) => message.text);

describe("the page", () => {
  it("lists both companies with the same names and different ids", async () => {
    const slack = await startSlack();
    const workspaces = (await (await fetch(api(slack, "workspaces"))).json()) as {
      name: string;
      people: Json[];
      channels: Json[];
      bot: Json;
    }[];
    expect(workspaces.map((workspace) => workspace.name)).toEqual(["acme", "globex"]);
    for (const { people, channels, bot } of workspaces) {
      expect(people.map((person) => [person.name, person.role])).toEqual([
        ["alice", "admin"],
        ["bob", "member"],
        ["gina", "guest"],
      ]);
      expect(channels.map((channel) => [channel.name, channel.private])).toEqual([
        ["general", false],
        ["people-ops", false],
        ["board", true],
        ["guest-project", false],
      ]);
      expect(bot.name).toBe("footnote");
    }
    const ids = workspaces.flatMap(({ people, channels, bot }) => [...people, ...channels, bot].map((one) => one.id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shows a channel's messages to its members; somebody who is not in the private board gets the answer of a channel that is not there", async () => {
    const slack = await startSlack(quick);
    slack.post({ workspace: "acme", as: "alice", channel: "board", text: "secret" });
    expect(texts(await read(slack, { workspace: "acme", as: "alice", channel: "board" }))).toEqual(["secret"]);
    const refused = await read(slack, { workspace: "acme", as: "bob", channel: "board" });
    expect(refused).toEqual({ error: "channel_not_found" });
    expect(await read(slack, { workspace: "acme", as: "bob", channel: "C0MADEUP" })).toEqual(refused);
    expect(await read(slack, { workspace: "globex", as: "alice", channel: slack.workspace("acme").channel("board") })).toEqual(refused);
  });

  it("shows direct messages to their person alone", async () => {
    const slack = await startSlack(quick);
    slack.post({ workspace: "acme", as: "alice", channel: "direct", text: "between us" });
    expect(texts(await read(slack, { workspace: "acme", as: "alice", channel: "direct" }))).toEqual(["between us"]);
    expect(texts(await read(slack, { workspace: "acme", as: "bob", channel: "direct" }))).toEqual([]);
    expect(await read(slack, { workspace: "acme", as: "bob", channel: slack.workspace("acme").direct("alice") })).toEqual({
      error: "channel_not_found",
    });
  });

  it("shows a guest only the channels the guest is in; a member every public one", async () => {
    const slack = await startSlack();
    slack.join({ workspace: "acme", as: "bob", channel: "people-ops", leave: true });
    expect(await read(slack, { workspace: "acme", as: "bob", channel: "people-ops" })).toEqual({ messages: [] });
    expect(await read(slack, { workspace: "acme", as: "gina", channel: "people-ops" })).toEqual({ error: "channel_not_found" });
    expect(await read(slack, { workspace: "acme", as: "gina", channel: "guest-project" })).toEqual({ messages: [] });
  });

  it("shows ephemeral messages to whom they are for", async () => {
    const slack = await startSlack(quick);
    const { channel, person } = slack.workspace("acme");
    await apiOf(slack, "acme")("chat.postEphemeral", { channel: channel("general"), user: person("alice"), text: "for alice" });
    expect((await read(slack, { workspace: "acme", as: "alice", channel: "general" })).messages).toMatchObject([
      { text: "for alice", ephemeral: true },
    ]);
    expect((await read(slack, { workspace: "acme", as: "bob", channel: "general" })).messages).toEqual([]);
  });

  it("shows what the bot is doing until it posts in that thread", async () => {
    const slack = await startSlack(quick);
    const seen: string[] = [];
    slack.state.onChange((change) => change.type === "status" && seen.push(change.status));
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const thread = slack.post({ workspace: "acme", as: "bob", channel: "general", text: "hi" });
    await call("assistant.threads.setStatus", { channel_id: channel, thread_ts: thread, status: "is searching" });
    await call("chat.postMessage", { channel, text: "elsewhere" });
    expect(seen).toEqual(["is searching"]);
    await call("chat.postMessage", { channel, text: "here", thread_ts: thread });
    await call("chat.postMessage", { channel, text: "again", thread_ts: thread });
    expect(seen).toEqual(["is searching", ""]);
  });

  it("posts as a person, opens threads and counts replies", async () => {
    const slack = await startSlack(quick);
    const at = { workspace: "acme", as: "bob", channel: "general" };
    const { body } = await send(slack, "messages", { ...at, text: "@footnote hi" });
    expect(body).toEqual({ ts: expect.any(String), channel: slack.workspace("acme").channel("general") });
    await send(slack, "messages", { ...at, text: "and more", thread: body?.ts as string });
    expect((await read(slack, at)).messages).toMatchObject([
      { text: `<@${slack.workspace("acme").botUserId}> hi`, replyCount: 1, edited: false },
    ]);
    expect(texts(await read(slack, { ...at, thread: body?.ts as string }))).toHaveLength(2);
    expect(slack.envelopes.map((envelope) => (envelope.event as Json).type)).toEqual(["app_mention", "message", "message"]);
  });

  it("does not write where the person is not, nor empty messages, nor slash commands in threads", async () => {
    const slack = await startSlack(quick);
    const at = { workspace: "acme", as: "bob", channel: "general" };
    expect((await send(slack, "messages", { ...at, as: "gina", text: "x" })).body).toEqual({ error: "channel_not_found" });
    expect((await send(slack, "messages", { ...at, channel: "board", text: "x" })).body).toEqual({ error: "channel_not_found" });
    expect((await send(slack, "messages", { ...at, text: "  " })).body).toEqual({ error: "no_text" });
    expect((await send(slack, "messages", { ...at, text: "/footnote tools", thread: "1.000001" })).body).toEqual({
      error: "not supported in threads",
    });
    expect((await send(slack, "messages", { ...at, text: "/footnote tools" })).body).toEqual({
      channel: slack.workspace("acme").channel("general"),
    });
    expect(slack.acks.at(-1)).toMatchObject({ kind: "slash_commands", what: "/footnote" });
  });

  it("presses buttons that are there, with the value the bot gave them", async () => {
    const slack = await startSlack();
    const { frames } = await socketApp(slack, () => true);
    const { channel, person } = slack.workspace("acme");
    const call = apiOf(slack, "acme");
    const blocks = [
      {
        type: "actions",
        block_id: "b",
        elements: [{ type: "button", action_id: "retry", value: "v", text: { type: "plain_text", text: "Retry" } }],
      },
    ];
    const { ts } = await call("chat.postMessage", { channel: channel("general"), text: "t", blocks });
    const at = { workspace: "acme", as: "bob", channel: channel("general"), ts: ts as string };
    expect((await send(slack, "actions", { ...at, blockId: "b", actionId: "retry", value: "forged" })).body).toEqual({ ok: true });
    const pressed = frames.at(-1)?.payload as { actions: Json[]; user: Json };
    expect([pressed.user.id, pressed.actions[0]?.value]).toEqual([person("bob"), "v"]);
    expect((await send(slack, "actions", { ...at, actionId: "other" })).body).toEqual({ error: "no_such_action" });
    expect((await send(slack, "actions", { ...at, as: "gina", actionId: "retry" })).body).toEqual({ error: "channel_not_found" });
    const { message_ts } = await call("chat.postEphemeral", { channel: channel("general"), user: person("alice"), text: "t", blocks });
    const ephemeral = { ...at, ts: message_ts as string, actionId: "retry" };
    expect((await send(slack, "actions", ephemeral)).body).toEqual({ error: "no_such_action" });
    expect((await send(slack, "actions", { ...ephemeral, as: "alice" })).body).toEqual({ ok: true });
  });

  it("says so when the app did not acknowledge a press", async () => {
    const slack = await startSlack(quick);
    const channel = slack.workspace("acme").channel("general");
    const blocks = [{ type: "actions", elements: [{ type: "button", action_id: "retry", text: { type: "plain_text", text: "Retry" } }] }];
    const { ts } = await apiOf(slack, "acme")("chat.postMessage", { channel, text: "t", blocks });
    const press = { workspace: "acme", as: "bob", channel, ts: ts as string, actionId: "retry" };
    expect((await send(slack, "actions", press)).body).toEqual({ ok: false });
    expect(slack.acks.at(-1)).toMatchObject({ kind: "interactive", what: "block_actions", outcome: "connection_failed" });
  });

  it("follows what its person may see, as it happens", async () => {
    const slack = await startSlack(quick);
    const gone = new AbortController();
    cleanUp(() => gone.abort());
    const heard: Record<string, Json[]> = { alice: [], bob: [] };
    for (const as of ["alice", "bob"]) {
      const response = await fetch(`${api(slack, "events")}?workspace=acme&as=${as}`, { signal: gone.signal });
      void (async () => {
        for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
          for (const [, data] of new TextDecoder().decode(piece).matchAll(/^data: (.*)$/gm)) heard[as]?.push(JSON.parse(data as string));
        }
      })().catch(() => undefined);
    }
    const call = apiOf(slack, "acme");
    const { channel, person } = slack.workspace("acme");
    slack.post({ workspace: "acme", as: "alice", channel: "board", text: "secret" });
    slack.post({ workspace: "acme", as: "alice", channel: "direct", text: "private" });
    slack.post({ workspace: "globex", as: "alice", channel: "general", text: "elsewhere" });
    const { ts } = await call("chat.postMessage", { channel: channel("general"), text: "one" });
    await call("chat.update", { channel: channel("general"), ts, text: "two" });
    await call("assistant.threads.setStatus", { channel_id: channel("general"), thread_ts: ts, status: "is reading" });
    await call("chat.postEphemeral", { channel: channel("general"), user: person("bob"), text: "psst" });
    await call("chat.delete", { channel: channel("general"), ts });
    while (heard.bob?.at(-1)?.type !== "deleted") await new Promise((resolve) => setImmediate(resolve));
    const summary = (as: string) => heard[as]?.map((event) => [event.type, (event.message as Json).text ?? (event.message as Json).status]);
    const both = [
      ["message", "one"],
      ["changed", "two"],
      ["status", "is reading"],
    ];
    expect(summary("bob")).toEqual([...both, ["ephemeral", "psst"], ["deleted", "two"]]);
    expect(summary("alice")).toEqual([["message", "secret"], ["message", "private"], ...both, ["deleted", "two"]]);
  });
});

describe("other web sites", () => {
  const body = { workspace: "acme", as: "alice", channel: "general", text: "x" };

  it("cannot make the page write, read or follow: only its own origin can", async () => {
    const slack = await startSlack(quick);
    const own = slack.pageUrl.replace(/\/$/, "");
    expect((await send(slack, "messages", body, { origin: own })).status).toBe(200);
    for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1", `${own}.evil.example`]) {
      expect((await send(slack, "messages", body, { origin })).status).toBe(403);
      for (const path of ["workspaces", "events?workspace=acme&as=alice"])
        expect((await fetch(api(slack, path), { headers: { origin } })).status).toBe(403);
      expect((await fetch(`${slack.apiUrl}auth.test`, { method: "POST", headers: { origin } })).status).toBe(403);
    }
    expect(slack.messages({ workspace: "acme", channel: "general" })).toHaveLength(1);
  });

  it("cannot reach it by a name of their own that points here", async () => {
    const slack = await startSlack();
    const status = (host: string) =>
      new Promise((resolve) =>
        request(api(slack, "workspaces"), { headers: { host } }, (response) => resolve(response.resume().statusCode)).end(),
      );
    const port = new URL(slack.pageUrl).port;
    expect(await status(`localhost:${port}`)).toBe(200);
    expect(await status(`evil.example:${port}`)).toBe(403);
    expect(await status("127.0.0.1")).toBe(403);
  });

  it("cannot post a form to it", async () => {
    const slack = await startSlack();
    const response = await fetch(api(slack, "messages"), { method: "POST", body: new URLSearchParams(body) });
    expect(await response.json()).toEqual({ error: "json_required" });
    expect(slack.messages({ workspace: "acme", channel: "general" })).toEqual([]);
  });
});

describe("files that are sent from the page", () => {
  const post = (slack: FakeSlack, bytes: number) =>
    send(slack, "messages", {
      ...{ workspace: "acme", as: "bob", channel: "general", text: "" },
      files: [{ name: "report.pdf", data: Buffer.alloc(bytes).toString("base64") }],
    });

  it("may be as large as those that the bot reads; larger ones are refused by name", async () => {
    const slack = await startSlack(quick);
    const { status, body } = await post(slack, 6_000_000);
    expect([status, body?.ts]).toEqual([200, expect.any(String)]);
    expect(await post(slack, 31_000_000)).toEqual({ status: 400, body: { error: "too_large" } });
    expect(slack.messages({ workspace: "acme", channel: "general" })).toHaveLength(1);
  });
});

describe("the page's files", () => {
  it("come from their folder alone, and may load only from here", async () => {
    const folder = await mkdtemp(join(tmpdir(), "playground-ui-"));
    cleanUp(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "index.html"), "<h1>Playground</h1>");
    await writeFile(`${folder}.html`, "outside");
    cleanUp(() => rm(`${folder}.html`));
    const slack = await startPlayground({ uiDir: folder });
    cleanUp(() => slack.stop());
    const page = await fetch(slack.pageUrl);
    expect(await page.text()).toBe("<h1>Playground</h1>");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
    for (const path of ["missing.js", "%2e%2e/package.json", `..%2f${folder.split("/").at(-1)}.html`, "%zz"]) {
      expect((await fetch(slack.pageUrl + path)).status).toBe(404);
    }
  });
});
