import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed, type SlackSeed } from "../../playground/server/seed.ts";
import type { Json } from "../../playground/server/state.ts";
import { apiOf, callWith, startSlack } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

describe("a token", () => {
  it("is known to its own workspace and to no other", async () => {
    const slack = await startSlack();
    const acme = slack.workspace("acme");
    expect(await apiOf(slack, "acme")("auth.test")).toMatchObject({ ok: true, team_id: acme.teamId, user_id: acme.botUserId });
    expect(await apiOf(slack, "globex")("auth.test")).toMatchObject({ ok: true, team_id: slack.workspace("globex").teamId });
  });

  it.each([
    ["no token", undefined, "auth.test", "not_authed"],
    ["an unknown token", "xoxb-made-up", "auth.test", "invalid_auth"],
    ["a bot's token for an app's method", "xoxb-playground-acme", "apps.connections.open", "not_allowed_token_type"],
    ["an unknown token for an app's method", "xapp-made-up", "apps.connections.open", "invalid_auth"],
  ])("%s is refused", async (_what, token, method, error) => {
    expect(await callWith(await startSlack(), token, method)).toEqual({ ok: false, error });
  });

  it("cannot be used with another team's id, which shows that tenants were mixed up", async () => {
    const slack = await startSlack();
    const call = apiOf(slack, "acme");
    const own = { user: slack.workspace("acme").person("bob"), team_id: slack.workspace("acme").teamId };
    expect(await call("users.info", own)).toMatchObject({ ok: true });
    expect(await call("users.info", { ...own, team_id: slack.workspace("globex").teamId })).toEqual({
      ok: false,
      error: "team_access_not_granted",
    });
    expect(slack.problems).toEqual([{ method: "users.info", workspace: "acme", error: "team_access_not_granted", details: [] }]);
  });

  it("stops working once revoked, and the app is told", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    expect(await call("auth.revoke")).toMatchObject({ revoked: true });
    expect(await call("auth.test")).toEqual({ ok: false, error: "token_revoked" });
    expect(await apiOf(slack, "globex")("auth.test")).toMatchObject({ ok: true });
    expect(slack.envelopes.map((envelope) => (envelope.event as Json).type)).toEqual(["tokens_revoked"]);
  });

  it("lacks what its scopes do not name", async () => {
    const seed: SlackSeed = { workspaces: [{ name: "small", title: "Small", people: [], channels: [], scopes: ["users:read"] }] };
    const call = apiOf(await startSlack({ seed }), "small");
    expect(await call("users.list")).toMatchObject({ ok: true });
    expect(await call("conversations.list")).toEqual({
      ok: false,
      error: "missing_scope",
      needed: "channels:read",
      provided: "users:read",
    });
  });

  it("is never in the record of calls", async () => {
    const slack = await startSlack();
    const { botToken } = slack.workspace("acme");
    await fetch(`${slack.apiUrl}auth.test`, { method: "POST", body: new URLSearchParams({ token: botToken }) });
    expect(slack.calls).toHaveLength(1);
    expect(slack.calls[0]).toMatchObject({ method: "auth.test", workspace: "acme", args: {}, status: 200, response: { ok: true } });
    expect(JSON.stringify(slack.calls)).not.toContain(botToken);
  });
});

describe("arguments", () => {
  it("may come as JSON, as a form or in the query", async () => {
    const slack = await startSlack();
    const { botToken, person } = slack.workspace("acme");
    const headers = { authorization: `Bearer ${botToken}` };
    const ways = [
      fetch(`${slack.apiUrl}users.info?user=${person("bob")}`, { headers }),
      fetch(`${slack.apiUrl}users.info`, { method: "POST", headers, body: new URLSearchParams({ user: person("bob") }) }),
      fetch(`${slack.apiUrl}users.info`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json; charset=utf-8" },
        body: JSON.stringify({ user: person("bob") }),
      }),
    ];
    for (const way of await Promise.all(ways)) expect(await way.json()).toMatchObject({ ok: true, user: { name: "bob" } });
  });

  it("are missed by name, and unknown methods are named", async () => {
    const call = apiOf(await startSlack(), "acme");
    expect(await call("chat.update", { channel: "C1" })).toEqual({
      ok: false,
      error: "invalid_arguments",
      response_metadata: { messages: ["[ERROR] missing required field: ts"] },
    });
    expect(await call("chat.shout")).toEqual({ ok: false, error: "unknown_method", req_method: "chat.shout" });
  });
});

describe("channels", () => {
  it("of another workspace do not exist", async () => {
    const slack = await startSlack();
    const call = apiOf(slack, "acme");
    const foreign = slack.workspace("globex").channel("general");
    const own = slack.workspace("acme").channel("general");
    for (const method of ["conversations.info", "conversations.members", "conversations.history"]) {
      expect(await call(method, { channel: own })).toMatchObject({ ok: true });
      expect(await call(method, { channel: foreign })).toEqual({ ok: false, error: "channel_not_found" });
    }
    expect(await call("chat.postMessage", { channel: foreign, text: "hi" })).toEqual({ ok: false, error: "channel_not_found" });
    expect(await call("users.info", { user: slack.workspace("globex").person("bob") })).toEqual({ ok: false, error: "user_not_found" });
  });

  it("that are private exist only for a bot that is in them", async () => {
    const slack = await startSlack();
    const call = apiOf(slack, "acme");
    const board = slack.workspace("acme").channel("board");
    expect(await call("conversations.info", { channel: board })).toMatchObject({ ok: true, channel: { is_private: true } });
    slack.join({ workspace: "acme", as: "footnote", channel: "board", leave: true });
    for (const method of ["conversations.info", "conversations.members", "conversations.history"]) {
      expect(await call(method, { channel: board })).toEqual({ ok: false, error: "channel_not_found" });
    }
    const { channels } = (await call("conversations.list", { types: "public_channel,private_channel" })) as { channels: Json[] };
    expect(channels.map((channel) => channel.name)).toEqual(["general", "people-ops", "guest-project"]);
  });

  it("that are public can be looked at but not written to or read from outside", async () => {
    const slack = await startSlack();
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    slack.join({ workspace: "acme", as: "footnote", channel: "general", leave: true });
    expect(await call("conversations.info", { channel })).toMatchObject({ channel: { is_member: false } });
    expect(await call("chat.postMessage", { channel, text: "hi" })).toEqual({ ok: false, error: "not_in_channel" });
    expect(await call("conversations.history", { channel })).toEqual({ ok: false, error: "not_in_channel" });
    expect(await call("conversations.join", { channel })).toMatchObject({ ok: true });
    expect(await call("chat.postMessage", { channel, text: "hi" })).toMatchObject({ ok: true });
  });

  it("say who guests and strangers are", async () => {
    const seed: SlackSeed = {
      workspaces: [
        {
          name: "acme",
          title: "Acme",
          people: [
            { name: "alice", role: "owner" },
            { name: "gina", role: "guest" },
            { name: "sue", homeTeamId: "T0OUTSIDE01" },
            { name: "dan", deactivated: true },
          ],
          channels: [
            { name: "partners", members: ["alice", "gina", "sue"], connect: "shared" },
            { name: "soon", members: ["alice"], connect: "pending" },
          ],
        },
      ],
    };
    const slack = await startSlack({ seed });
    const call = apiOf(slack, "acme");
    const user = async (name: string) => (await call("users.info", { user: slack.workspace("acme").person(name) })).user;
    expect(await user("alice")).toMatchObject({ is_owner: true, is_admin: true, is_restricted: false });
    expect(await user("gina")).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
    expect(await user("sue")).toMatchObject({ is_stranger: true, team_id: "T0OUTSIDE01" });
    expect(await user("dan")).toMatchObject({ deleted: true });
    const channel = async (name: string) => (await call("conversations.info", { channel: slack.workspace("acme").channel(name) })).channel;
    expect(await channel("partners")).toMatchObject({ is_ext_shared: true, is_pending_ext_shared: false });
    expect(await channel("soon")).toMatchObject({ is_ext_shared: false, is_pending_ext_shared: true });
  });

  it("can be shared by two workspaces: one id, each side's people strangers to the other", async () => {
    const [acme, globex] = defaultSeed.workspaces as [SlackSeed["workspaces"][0], SlackSeed["workspaces"][0]];
    const shared = { name: "joint", members: ["alice", "globex/bob"], sharedWith: ["globex"] };
    const slack = await startSlack({ seed: { workspaces: [{ ...acme, channels: [shared] }, globex] }, retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("joint");
    expect(slack.workspace("globex").channel("joint")).toBe(channel);
    const bob = slack.workspace("globex").person("bob");
    expect(await apiOf(slack, "acme")("users.info", { user: bob })).toMatchObject({
      user: { is_stranger: true, team_id: slack.workspace("globex").teamId },
    });
    expect(await apiOf(slack, "globex")("users.info", { user: bob })).toMatchObject({ user: { id: bob, is_admin: false } });
    slack.post({ workspace: "acme", as: "globex/bob", channel: "joint", text: "@footnote hello" });
    const [mention] = slack.envelopes;
    expect(mention).toMatchObject({
      team_id: slack.workspace("acme").teamId,
      is_ext_shared_channel: true,
      authorizations: [{ team_id: slack.workspace("acme").teamId, user_id: slack.workspace("acme").botUserId }],
      event: { type: "app_mention", user: bob, user_team: slack.workspace("globex").teamId },
    });
    const list = await callWith(slack, slack.appToken, "apps.event.authorizations.list", { event_context: mention?.event_context });
    expect((list.authorizations as Json[]).map((one) => one.team_id)).toEqual([
      slack.workspace("acme").teamId,
      slack.workspace("globex").teamId,
    ]);
  });

  it("that another organisation owns name that organisation in message events, and the author's in the author's fields", async () => {
    const [acme, globex] = defaultSeed.workspaces as [SlackSeed["workspaces"][0], SlackSeed["workspaces"][0]];
    const shared = { name: "joint", members: ["bob", "acme/alice"], sharedWith: ["acme"] };
    const slack = await startSlack({ seed: { workspaces: [acme, { ...globex, channels: [shared] }] }, retryDelaysMs: [1] });
    slack.join({ workspace: "globex", as: "footnote", channel: "joint", leave: true });
    const [acmeTeam, globexTeam] = [slack.workspace("acme").teamId, slack.workspace("globex").teamId];
    slack.post({ workspace: "acme", as: "globex/bob", channel: "joint", text: "hello" });
    slack.post({ workspace: "acme", as: "alice", channel: "joint", text: "hello" });
    const seen = slack.envelopes.slice(-2).map((envelope) => {
      const [authorization] = envelope.authorizations as Json[];
      return [
        envelope.team_id,
        envelope.context_team_id,
        authorization?.team_id,
        (envelope.event as Json).team,
        (envelope.event as Json).user_team,
      ];
    });
    expect(seen).toEqual([
      [globexTeam, acmeTeam, acmeTeam, globexTeam, globexTeam],
      [globexTeam, acmeTeam, acmeTeam, acmeTeam, undefined],
    ]);
  });
});

describe("lists", () => {
  const people = Array.from({ length: 7 }, (_, index) => ({ name: `p${index}` }));
  const seed: SlackSeed = {
    workspaces: [{ name: "big", title: "Big", people, channels: [{ name: "all", members: people.map((person) => person.name) }] }],
  };

  it("come in pages that together are the whole, each item once", async () => {
    const slack = await startSlack({ seed });
    const call = apiOf(slack, "big");
    for (let i = 0; i < 7; i++) slack.post({ workspace: "big", as: `p${i}`, channel: "all", text: `message ${i}` });
    const channel = slack.workspace("big").channel("all");
    for (const [method, key, total] of [
      ["users.list", "members", 8],
      ["conversations.members", "members", 8],
      ["conversations.history", "messages", 7],
    ] as const) {
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const answer = await call(method, { channel, limit: 3, ...(cursor && { cursor }) });
        const items = answer[key] as unknown[];
        expect(items.length).toBeLessThanOrEqual(3);
        seen.push(...items);
        cursor = (answer.response_metadata as Json | undefined)?.next_cursor as string | undefined;
      } while (cursor);
      expect(seen).toHaveLength(total);
      expect(new Set(seen.map((item) => JSON.stringify(item))).size).toBe(total);
    }
  });

  it("refuse a cursor that was never given out, and a limit out of range", async () => {
    const call = apiOf(await startSlack({ seed }), "big");
    expect(await call("users.list", { cursor: "bm9uc2Vuc2U=" })).toEqual({ ok: false, error: "invalid_cursor" });
    expect(await call("users.list", { limit: 5_000 })).toEqual({ ok: false, error: "invalid_limit" });
  });
});

describe("messages", () => {
  const at = { workspace: "acme", as: "alice", channel: "general" };

  it("of a thread come oldest first, root first; the channel's history leaves replies out", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const root = slack.post({ ...at, text: "question" });
    const { ts } = await call("chat.postMessage", { channel, thread_ts: root, text: "answer" });
    slack.post({ ...at, text: "thanks", thread: ts as string });
    const replies = (await call("conversations.replies", { channel, ts: root })) as { messages: Json[] };
    expect(replies.messages.map((message) => message.text)).toEqual(["question", "answer", "thanks"]);
    expect(replies.messages[0]).toMatchObject({ thread_ts: root, reply_count: 2 });
    expect(replies.messages[2]).toMatchObject({ thread_ts: root, parent_user_id: slack.workspace("acme").person("alice") });
    const history = (await call("conversations.history", { channel })) as { messages: Json[] };
    expect(history.messages.map((message) => message.text)).toEqual(["question"]);
    expect(await call("conversations.replies", { channel, ts: "1.000001" })).toEqual({ ok: false, error: "thread_not_found" });
  });

  it("of somebody else cannot be changed or deleted by the bot; its own can", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const theirs = slack.post({ ...at, text: "mine" });
    expect(await call("chat.update", { channel, ts: theirs, text: "x" })).toEqual({ ok: false, error: "cant_update_message" });
    expect(await call("chat.delete", { channel, ts: theirs })).toEqual({ ok: false, error: "cant_delete_message" });
    const { ts } = await call("chat.postMessage", { channel, text: "own" });
    expect(await call("chat.update", { channel, ts, text: "changed" })).toMatchObject({ ok: true, text: "changed" });
    expect(await call("chat.delete", { channel, ts })).toMatchObject({ ok: true });
    expect(await call("chat.update", { channel, ts, text: "again" })).toEqual({ ok: false, error: "message_not_found" });
    expect(
      slack
        .everyMessage()
        .filter(({ message }) => message.deleted)
        .map(({ message }) => message.revisions.map((one) => one.text)),
    ).toEqual([["own", "changed"]]);
  });

  it("keep metadata, shown whole only to who asks for it", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const metadata = { event_type: "turn", event_payload: { part: 1, of: { turn: "t1" } } };
    const { ts } = await call("chat.postMessage", { channel, text: "a", metadata });
    const read = async (all: boolean) =>
      ((await call("conversations.history", { channel, include_all_metadata: all })).messages as Json[])[0]?.metadata;
    expect(await read(true)).toEqual(metadata);
    expect(await read(false)).toEqual({ event_type: "turn" });
    expect(await call("chat.update", { channel, ts, text: "b" })).toMatchObject({ ok: true });
    expect(await read(true)).toEqual(metadata);
    expect(await call("chat.postMessage", { channel, text: "a", metadata: { event_type: "turn" } })).toEqual({
      ok: false,
      error: "invalid_metadata_format",
    });
  });

  it("that are ephemeral reach one member and no event", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const { channel, person } = slack.workspace("acme");
    expect(await call("chat.postEphemeral", { channel: channel("board"), user: person("bob"), text: "psst" })).toEqual({
      ok: false,
      error: "user_not_in_channel",
    });
    const { message_ts: ts } = await call("chat.postEphemeral", { channel: channel("board"), user: person("alice"), text: "psst" });
    expect(slack.envelopes).toEqual([]);
    expect(await call("chat.update", { channel: channel("board"), ts, text: "x" })).toEqual({ ok: false, error: "message_not_found" });
  });

  it("can be sent to a person, and arrive in the direct messages", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const { person, direct } = slack.workspace("acme");
    expect(await call("conversations.open", { users: person("bob") })).toMatchObject({ ok: true, channel: { id: direct("bob") } });
    expect(await call("chat.postMessage", { channel: person("bob"), text: "hi" })).toMatchObject({ ok: true, channel: direct("bob") });
    expect(slack.messages({ workspace: "acme", channel: "direct:bob" }).map((message) => message.text)).toEqual(["hi"]);
  });

  it("have a link of their own", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    const ts = slack.post({ ...at, text: "hello" });
    const { permalink } = await apiOf(slack, "acme")("chat.getPermalink", { channel, message_ts: ts });
    expect(permalink).toBe(`https://acme.slack.com/archives/${channel}/p${ts.replace(".", "")}`);
  });
});

describe("a fault that a test orders", () => {
  it("hits the calls it names and nothing else", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    const post = () => apiOf(slack, "acme")("chat.postMessage", { channel, text: "hi" });
    slack.fail({ method: "chat.postMessage", workspace: "globex", error: "fatal_error" });
    expect(await post()).toMatchObject({ ok: true });
    slack.fail({ method: "chat.postMessage", times: 2, error: "fatal_error" });
    expect([await post(), await post()]).toEqual(Array(2).fill({ ok: false, error: "fatal_error" }));
    expect(await post()).toMatchObject({ ok: true });
    slack.fail({ method: "*", retryAfter: 7 });
    const limited = await fetch(`${slack.apiUrl}api.test`, { method: "POST" });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    slack.fail({ method: "*", httpStatus: 503 });
    expect((await fetch(`${slack.apiUrl}api.test`, { method: "POST" })).status).toBe(503);
  });

  it("can break the connection after the message is stored, or hold the answer back", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    const post = (text: string) => apiOf(slack, "acme")("chat.postMessage", { channel, text });
    slack.fail({ method: "chat.postMessage", afterStoring: true });
    await expect(post("stored all the same")).rejects.toThrow();
    expect(slack.messages({ workspace: "acme", channel: "general" }).map((message) => message.text)).toEqual(["stored all the same"]);
    slack.fail({ method: "chat.postMessage", hangMs: 60 });
    await post("late");
    const call = slack.calls.at(-1);
    expect((call?.answeredAt ?? 0) - (call?.at ?? 0)).toBeGreaterThanOrEqual(55);
  });
});

describe("installation", () => {
  /** A code as somebody gets it who agrees for a workspace or an organisation. */
  async function agree(slack: FakeSlack, choice: string): Promise<string> {
    const query = new URLSearchParams({ client_id: slack.oauth.clientId, scope: "chat:write", state: "s", redirect_uri: back, choice });
    const response = await fetch(new URL(`../oauth/v2/authorize?${query}`, slack.apiUrl), { redirect: "manual" });
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.searchParams.get("state")).toBe("s");
    return location.searchParams.get("code") ?? location.searchParams.get("error") ?? "";
  }
  const back = "http://127.0.0.1:9/slack/oauth_redirect";
  const exchange = (slack: FakeSlack, args: Record<string, string>) => {
    const { clientId: client_id, clientSecret: client_secret } = slack.oauth;
    return callWith(slack, undefined, "oauth.v2.access", { client_id, client_secret, redirect_uri: back, ...args });
  };

  it("gives the workspace's token for its code, once, and none for another", async () => {
    const slack = await startSlack();
    const code = await agree(slack, "acme");
    expect(await exchange(slack, { code, client_secret: "wrong" })).toEqual({ ok: false, error: "bad_client_secret" });
    expect(await exchange(slack, { code })).toMatchObject({
      ok: true,
      access_token: slack.workspace("acme").botToken,
      team: { id: slack.workspace("acme").teamId },
      scope: "chat:write",
    });
    for (const other of [code, "nobody"]) expect(await exchange(slack, { code: other })).toEqual({ ok: false, error: "invalid_code" });
    expect(JSON.stringify(slack.calls.map(({ args }) => args))).not.toContain(slack.oauth.clientSecret);
    expect(await agree(slack, "cancel")).toBe("access_denied");
  });

  it("sends nobody to another machine", async () => {
    const slack = await startSlack();
    const query = new URLSearchParams({ client_id: slack.oauth.clientId, redirect_uri: "https://example.com/", choice: "acme" });
    expect((await fetch(new URL(`../oauth/v2/authorize?${query}`, slack.apiUrl), { redirect: "manual" })).status).toBe(400);
  });

  it("with rotation, a token ends after twelve hours and its refresh token works once", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ clock });
    slack.oauth.rotation = true;
    const { access_token, refresh_token, expires_in } = await exchange(slack, { code: await agree(slack, "acme") });
    expect(expires_in).toBe(43_200);
    expect(await callWith(slack, String(access_token), "auth.test")).toMatchObject({ ok: true });
    const renew = { grant_type: "refresh_token", refresh_token: String(refresh_token) };
    const renewed = await exchange(slack, renew);
    expect(renewed).toMatchObject({ ok: true, token_type: "bot" });
    expect(await exchange(slack, renew)).toEqual({ ok: false, error: "invalid_refresh_token" });
    clock.advance(43_200_000);
    expect(await callWith(slack, String(access_token), "auth.test")).toEqual({ ok: false, error: "token_expired" });
  });

  it("an organisation's token acts in the workspaces that were approved", async () => {
    const enterprise = { id: "E1", name: "Initech" };
    const [acme, globex] = defaultSeed.workspaces.map((workspace) => ({ ...workspace, enterprise }));
    const slack = await startSlack({ seed: { workspaces: [acme, globex] as typeof defaultSeed.workspaces } });
    const granted = await exchange(slack, { code: await agree(slack, "E1") });
    expect(granted).toMatchObject({ team: null, enterprise, is_enterprise_install: true });
    const token = String(granted.access_token);
    expect(await callWith(slack, token, "auth.test")).toMatchObject({ enterprise_id: "E1", is_enterprise_install: true });
    expect(await callWith(slack, token, "auth.teams.list")).toMatchObject({ teams: [{ name: "Acme" }, { name: "Globex" }] });
    const teamId = slack.workspace("globex").teamId;
    const { members } = (await callWith(slack, token, "users.list", { team_id: teamId })) as { members: { id: string }[] };
    expect(members.map(({ id }) => id)).toContain(slack.workspace("globex").person("alice"));
  });
});
