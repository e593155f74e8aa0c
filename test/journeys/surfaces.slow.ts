import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { Json } from "../../playground/server/state.ts";
import { listeners } from "../../src/bot/in/listeners/index.ts";
import type { Listener } from "../../src/bot/in/listeners/listener.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Plugin } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { until } from "../fakes/until.ts";
import { program } from "../plugins/mcp/fixture.ts";
import { Hands } from "./hands.ts";
import { type RunningApp, runApp } from "./running-app.ts";

jest.setTimeout(600_000);

/** More tools than one page of the panel holds. */
const many: Plugin = {
  name: "many",
  tools: Array.from({ length: 21 }, (_, at) =>
    defineTool({
      name: `spare_${String(at).padStart(2, "0")}`,
      description: "Does nothing.",
      parameters: { type: "object", properties: {} },
      annotations: { readOnly: true },
      execute: async () => text("Nothing."),
    }),
  ),
};

const nameOf = ({ on }: Listener): string => Object.entries(on).flat().join(" ");
/** Listeners that a delivery has reached. */
const reached = new Set<string>();
for (const listener of listeners) {
  const { handle } = listener;
  Object.assign(listener, {
    handle: (...args: Parameters<Listener["handle"]>) => {
      reached.add(nameOf(listener));
      return handle(...args);
    },
  });
}

describe.each(["socket", "http"] as const)("every surface, as people use it, over %s", (mode) => {
  let model: ModelServer;
  let running: RunningApp;
  let hands: Hands;
  /** Lets held answers of the model go on. */
  let release: () => void = () => undefined;
  const held = () =>
    new Promise<void>((resolve) => {
      release = resolve;
    });
  const alice = { as: "alice", channel: "general" };
  const bob = { as: "bob", channel: "general" };
  const direct = (as: string) => ({ as, channel: "direct" });

  beforeAll(async () => {
    reached.clear();
    model = await ModelServer.start(async ({ messages }, reply) => {
      const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
      const result = messages.at(-1)?.role === "tool" ? (messages.at(-1)?.content ?? "") : undefined;
      const [, tool, value] = /call (\S+) with (\S+)/.exec(asked) ?? [];
      if (/handbook/.test(asked))
        return result === undefined ? reply.call("query_documents", { query: "parental leave" }) : reply.say("It is 18 weeks [1].");
      if (tool) return result === undefined ? reply.call(tool, { value }) : reply.say(`It says: ${result}`);
      if (/fail/.test(asked)) {
        reply.say("Half of an answer and ");
        // What is cut off before anybody has seen of it falls back to the documents.
        await held();
        return reply.cut();
      }
      const inSteps = messages.some(({ content }) => /In a step/.test(content ?? ""));
      if (inSteps && result !== undefined) return reply.say("Nothing was added.");
      if (inSteps && /Only for Berlin/.test(asked)) return reply.say("For Berlin, then.");
      if (inSteps || /slowly/.test(asked)) {
        if (!inSteps) reply.say("The first half is here. ");
        await held();
        return inSteps ? reply.call("spare_00", {}) : reply.say("And the second.");
      }
      return reply.say("Answered.");
    });
    const file = join(await mkdtemp(join(tmpdir(), "mcp-")), "servers.yml");
    const tracker = { title: "Tracker", command: process.execPath, args: [program], sandbox: "none", workspaces: ["acme"] };
    const calendar = { title: "Calendar", url: "http://127.0.0.1:9/mcp", login: { issuer: "http://127.0.0.1:9" } };
    await writeFile(file, JSON.stringify({ servers: { tracker, calendar } }));
    running = await runApp({ mode, modelUrl: model.url, morePlugins: [many], environment: { FOOTNOTE_MCP_FILE: file } });
    hands = new Hands(running.slack, "acme");
    running.slack.administration.setRole({ workspace: "acme", person: "alice", role: "owner" });
  });
  afterAll(async () => {
    release();
    await running?.stop();
    await model?.stop();
  });

  test("asking: a mention, a follow-up, directly, by command, an edited and a deleted question, with a file", async () => {
    const { thread } = await hands.ask(bob, "@footnote What is new?");
    await hands.ask(bob, "And then?", thread);
    await hands.ask(direct("bob"), "What is new?");
    await hands.slash(bob, "ask What is asked?");
    const asked = await hands.sees(bob, /What is asked\?/);
    await hands.sees(bob, /Trace/, asked.ts);

    const edited = await hands.ask(bob, "@footnote Is it wrong?");
    const before = model.requests.length;
    running.slack.edit({ workspace: "acme", ...bob, ts: edited.thread, text: "@footnote Is it right?" });
    await until(() => model.requests.slice(before).some(({ messages }) => /right/.test(messages.at(-1)?.content ?? "")));
    await hands.sees(bob, /Trace/, edited.thread);

    const deleted = hands.post(bob, "@footnote Tell it slowly.");
    await hands.sees(bob, /The first half/, deleted);
    running.slack.delete({ workspace: "acme", ...bob, ts: deleted });
    await hands.sees(bob, /question was deleted/, deleted);
    release();

    const bytes = new TextEncoder().encode("# Doors\n\nThe code of the north door is 4711.\n");
    const withFile = hands.post(direct("bob"), "What does it say?", undefined, [{ name: "doors.md", bytes }]);
    const answer = await hands.sees(direct("bob"), /"keep_files"/, withFile);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("4711");
    await hands.click(direct("bob"), answer, "keep_files");
    await hands.modal("bob", /doors\.md/);
    hands.close("bob");
  });

  test("asking about a message; a file is added to the knowledge, listed, and goes with its deletion", async () => {
    const bytes = new TextEncoder().encode("# Lamps\n\nThe brass lamp hangs in the cellar.\n");
    const ts = hands.post(bob, "our lamps", undefined, [{ name: "lamps.md", bytes }]);
    await hands.shortcut(alice, ts, "ask_about_this");
    await hands.modal("alice", /our lamps/);
    const where = { where: { type: "radio_buttons", selected_option: { value: "thread" } } };
    await hands.submit("alice", { question: { question: { type: "plain_text_input", value: "What lamps?" } }, where });
    await hands.sees(alice, /Trace/, ts);

    await hands.shortcut(bob, ts, "add_to_knowledge");
    await hands.modal("bob", /lamps\.md/);
    await hands.submit("bob", { who: { who: { type: "radio_buttons", selected_option: { value: "channel" } } } });
    await hands.sees(direct("bob"), /lamps\.md[\s\S]*can be found now/);
    await hands.slash(bob, "docs");
    await hands.sees(bob, /lamps\.md/);
    const [file] = [...running.slack.people.workspace("acme").files.values()].slice(-1);
    running.slack.people.files.delete({ workspace: "acme", file: String(file?.id) });
  });

  test("an answer that runs: stopped by its button, by the word and by Slack's own; what waits is taken in; retried and regenerated", async () => {
    const first = hands.post(bob, "@footnote Tell it slowly.");
    await hands.sees(bob, /The first half/, first);
    hands.post(bob, "And more?", first);
    // The answer may have a button of its own for stopping; the note is what offers both.
    const note = await hands.sees(bob, /"take_in"[\s\S]*"stop_turn"/, first);
    await hands.click(bob, note, "stop_turn");
    await hands.sees(bob, /Stopped by/, first);
    await hands.sees(bob, /Answered\.|And the second/, first);

    const second = hands.post(bob, "@footnote Tell it slowly.");
    await hands.sees(bob, /The first half/, second);
    hands.post(bob, "stop", second);
    const stopped = await hands.sees(bob, /Stopped by/, second);
    const asks = model.requests.length;
    await hands.insist(bob, stopped, "regenerate_turn", () => model.requests.length > asks);
    await hands.click(bob, await hands.sees(bob, /"stop_turn"/, second), "stop_turn");
    await hands.sees(bob, /Stopped by/, second);

    const third = hands.post(bob, "@footnote Tell it slowly.");
    // Slack's own button names the message, streamed or not. What Slack shows is there a moment before it is noted whose it is.
    const live = await hands.sees(bob, /The first half/, third);
    const isStopped = () => /Stopped by/.test(JSON.stringify(hands.said(bob, third).map(({ blocks }) => blocks)));
    while (!isStopped()) {
      running.slack.people.stopStream({ workspace: "acme", ...bob, ts: live.ts });
      await systemClock.sleep(200);
    }

    const steered = hands.post(bob, "@footnote In a step, please.");
    await until(() => /In a step/.test(model.requests.at(-1)?.messages.at(-1)?.content ?? ""));
    hands.post(bob, "Only for Berlin, please.", steered);
    await hands.click(bob, await hands.sees(bob, /"take_in"/, steered), "take_in");
    await hands.sees(bob, /becomes part of the answer/, steered);
    release();
    const answer = await hands.sees(bob, /For Berlin, then\.[\s\S]*Trace/, steered);
    expect(JSON.stringify(answer.blocks)).toContain("Taking your further message into account");
    expect(hands.said(bob, steered).filter((message) => /Trace/.test(JSON.stringify(message.blocks)))).toHaveLength(1);

    const failing = hands.post(bob, "@footnote Please fail.");
    await hands.sees(bob, /Half of an answer/, failing);
    release();
    const failed = await hands.sees(bob, /"retry_turn"/, failing);
    const before = model.requests.length;
    await hands.insist(bob, failed, "retry_turn", () => model.requests.length > before);
  });

  test("sources, thumbs with a comment, a private search and its sharing", async () => {
    const { answer, thread } = await hands.ask(bob, "@footnote What does the handbook say?");
    await hands.click(bob, answer, "show_sources");
    await hands.modal("bob", /18 weeks/);
    hands.close("bob");
    const trace = /"up ([^"]+)"/.exec(JSON.stringify(answer.blocks))?.[1] ?? "";
    await hands.click(bob, answer, "rate_answer", `up ${trace}`);
    await hands.click(bob, await hands.sees(bob, /"comment_answer"/), "comment_answer");
    await hands.modal("bob", /What was good/);
    await hands.submit("bob", { comment: { comment: { type: "plain_text_input", value: "Short." } } });

    await hands.click(bob, answer, "search_privately");
    const privately = await hands.sees(direct("bob"), /"share_answer"/);
    await hands.click(direct("bob"), privately, "share_answer");
    await hands.modal("bob", /would be posted/);
    await hands.submit("bob", {});
    await hands.sees(direct("bob"), /Shared in/);
    await hands.sees(bob, /18 weeks[\s\S]*shared/i, thread);
  });

  test("tools: the button below an answer, the panel with its pages and scopes, in words", async () => {
    const { answer, thread } = await hands.ask(bob, "@footnote What is new?");
    await hands.click(bob, answer, "show_tools");
    await hands.modal("bob", /tools_next/);
    await hands.press("bob", "tools_next", /tools_previous/);
    await hands.press("bob", "tools_previous", /tools_next/);
    await hands.press("bob", "tools_scope", / person off"/, { value: "person" });
    const [block = ""] = hands.blockIds("bob", /^tool \S+ person off/);
    await hands.press("bob", "tool_switch", /switched off by you/, { blockId: block });
    hands.close("bob");
    await hands.slash(bob, "tools");
    await hands.modal("bob", /tools_next/);
    hands.close("bob");
    hands.post(bob, "!tools", thread);
    await hands.sees(bob, /spare_00/, thread);
    hands.post(bob, "@footnote tools off spare_01", thread);
    await hands.sees(bob, /spare_01.*now off/, thread);
  });

  test("templates: written, compared, rolled back, previewed, tried, given to a channel, and a thread begun with one", async () => {
    const yaml = (name: string, title: string) => `name: ${name}\ntitle: ${title}\n`;
    const apply = (name: string, title: string) => running.app.operations.applyTemplate({ workspace: "acme", yaml: yaml(name, title) });
    for (let at = 0; at < 17; at += 1) await apply(`desk-${at}`, `Desk ${at}`);
    for (let at = 0; at < 16; at += 1) await apply("aaa", `First ${at}`);

    await hands.slash(alice, "template");
    await hands.modal("alice", /templates_next/);
    await hands.press("alice", "templates_next", /templates_previous/);
    await hands.press("alice", "templates_previous", /templates_next/);
    await hands.press("alice", "template_open", /template_edit/, { blockId: "template aaa" });
    await hands.press("alice", "template_versions", /versions_next/);
    await hands.press("alice", "versions_next", /versions_previous/);
    await hands.press("alice", "versions_previous", /versions_next/);
    await hands.press("alice", "template_compare", /template_roll_back/, { blockId: "version aaa 15" });
    await hands.press("alice", "template_roll_back", /Version 17 says|says what version 15/i);
    await hands.press("alice", "template_open", /template_edit/);
    await hands.press("alice", "template_channel", /template_use/, { value: running.slack.workspace("acme").channel("people-ops") });
    await hands.press("alice", "template_use", /is now this one/);
    await hands.press("alice", "template_preview", /preview_channel/);
    const general = running.slack.workspace("acme").channel("general");
    await hands.press("alice", "preview_channel", /template_try/, { value: general });
    await hands.press("alice", "template_try", /Answered|weeks|half|says/);
    running.slack.screens.close({ workspace: "acme", as: "alice" });
    running.slack.screens.close({ workspace: "acme", as: "alice" });
    await hands.press("alice", "template_edit", /template_preview_draft/);
    const formValues = (name: string, more: Json = {}): Json =>
      Object.fromEntries(
        Object.entries({ title: "First of all", others: "on", reply: "thread", ...more }).map(([field, value]) => [
          hands.blockIds("alice", new RegExp(`^${field} ${name}`))[0] ?? field,
          {
            [field]:
              field === "others" || field === "reply"
                ? { type: "static_select", selected_option: { value } }
                : { type: "plain_text_input", value },
          },
        ]),
      );
    await hands.press("alice", "template_preview_draft", /First of all/, { entered: formValues("aaa") });
    running.slack.screens.close({ workspace: "acme", as: "alice" });
    await hands.submit("alice", formValues("aaa"));
    await hands.modal("alice", /First of all/);
    await hands.press("alice", "templates_back", /template_new/);
    await hands.press("alice", "template_new", /template_preview_draft/);
    await hands.submit("alice", formValues("", { name: "zzz", title: "Last of all" }));
    await hands.modal("alice", /Last of all/);
    hands.close("alice");

    await hands.slash(bob, "template");
    await hands.press("bob", "template_open", /template_start/, { blockId: "template aaa" }).catch(async () => {
      await hands.modal("bob", /template aaa/);
      return hands.press("bob", "template_open", /template_start/, { blockId: "template aaa" });
    });
    await hands.press("bob", "template_start", /thread_start/);
    await hands.submit("bob", { question: { question: { type: "plain_text_input", value: "How do we begin?" } } });
    const begun = await hands.sees(bob, /How do we begin\?/);
    await hands.sees(bob, /Trace/, begun.ts);
    hands.close("bob");
  });

  test("roles: given by a form and by command, listed in pages, taken back", async () => {
    await hands.slash(alice, "role");
    await hands.modal("alice", /role_grant/);
    const { person } = running.slack.workspace("acme");
    const [people = "", role = "", where = "", days = ""] = ["people", "role", "where", "days"].map(
      (field) => hands.blockIds("alice", new RegExp(`^role ${field} `))[0],
    );
    const option = (value: string) => ({ type: "static_select", selected_option: { value } });
    await hands.submit("alice", {
      [people]: { people: { type: "multi_users_select", selected_users: [person("bob")] } },
      [role]: { role: option("auditor") },
      [where]: { where: option("workspace") },
      [days]: { days: option("30") },
    });
    await hands.modal("alice", /role_revoke/);
    hands.close("alice");
    for (const channel of ["general", "people-ops", "guest-project", "board"])
      for (const name of ["template-editor", "tool-manager"])
        for (const who of ["bob", "alice"]) await hands.slashAnswered({ as: "alice", channel }, `role grant @${who} ${name} here`);
    await hands.slash(alice, "role");
    await hands.modal("alice", /roles_next/);
    await hands.press("alice", "roles_next", /roles_previous/);
    await hands.press("alice", "roles_previous", /roles_next/);
    await hands.press("alice", "role_revoke", /is no longer/);
    hands.close("alice");
  });

  test("App Home of a member and of an admin, with all that it opens", async () => {
    const { screens } = running.slack;
    screens.openHome({ workspace: "acme", as: "bob", tab: "messages", beside: "general" });
    await running.slack.waitFor(() => screens.agentView({ workspace: "acme", as: "bob" }).prompts);
    await hands.slash(alice, "template use general");
    await hands.sees(alice, /General assistant/);
    screens.openHome({ workspace: "acme", as: "alice" });
    await hands.home("alice", /channel_template[\s\S]*home_next/);
    const home = { surface: "home" } as const;
    await hands.press("alice", "home_next", /home_previous/, home);
    await hands.press("alice", "home_previous", /home_next/, home);
    for (const [action, words] of [
      ["show_tools", /tools_scope/],
      ["show_policy", /tools_scope/],
      ["show_templates", /template_open/],
      ["template_new", /template_preview_draft/],
      ["show_roles", /role_grant/],
      ["show_usage", /budget_set/],
      ["connection_log_in", /Calendar/],
    ] as const) {
      await hands.press("alice", action, words, { ...home, opens: true });
      hands.close("alice");
    }
    const menu = { workspace: "acme", as: "alice", surface: "home", actionId: "channel_template" } as const;
    expect(await screens.suggest({ ...menu, typed: "doc" })).toEqual([expect.objectContaining({ value: "document-analysis" })]);
    await hands.press("alice", "channel_template", /Document analysis/, { ...home, value: "document-analysis" });
    await hands.slash(alice, "template use general");
    await hands.sees(alice, /General assistant/);
    // The button for logging out is not there without a log-in: a forged click changes nothing.
    const view = screens.home({ workspace: "acme", as: "alice" });
    const { teamId, person } = running.slack.workspace("acme");
    const forged = { type: "button", action_id: "connection_log_out", block_id: "connection", value: "calendar" };
    await running.slack.deliver({
      ...{ type: "block_actions", api_app_id: "A0FOOTNOTE1", team: { id: teamId }, user: { id: person("alice") }, trigger_id: "1.forged" },
      ...{ view: { id: view?.id, hash: view?.hash, type: "home", private_metadata: "{}" }, actions: [forged] },
    });
  });

  test("an external server of the workspace's own: added, changed, removed", async () => {
    running.slack.screens.openHome({ workspace: "acme", as: "alice" });
    await hands.home("alice", /show_servers/);
    await hands.press("alice", "show_servers", /server_new/, { surface: "home", opens: true });
    await hands.press("alice", "server_new", /server_save/);
    await hands.press("alice", "server_access", /server secret/, { value: "header" });
    await hands.press("alice", "server_access", /^(?!.*server secret)/, { value: "open" });
    const typed = { name: "desk", title: "Desk", url: "https://desk.invalid/mcp" };
    const fields = Object.entries(typed).map(([field, value]) => [`server ${field} `, { [field]: { type: "plain_text_input", value } }]);
    await hands.submit("alice", Object.fromEntries(fields));
    await hands.modal("alice", /server_edit/);
    await hands.press("alice", "server_edit", /server_save/);
    running.slack.screens.close({ workspace: "acme", as: "alice" });
    await hands.press("alice", "show_servers", /server_remove/, { surface: "home", opens: true });
    await hands.press("alice", "server_remove", /None yet/);
    hands.close("alice");
  });

  test("usage: what was used is told to everybody, and an admin sets a budget", async () => {
    await hands.slash(bob, "usage");
    expect(await hands.modal("bob", /tokens/i)).not.toContain("budget_set");
    hands.close("bob");
    await hands.slash(alice, "usage");
    await hands.modal("alice", /budget_set/);
    const [workspace = ""] = hands.blockIds("alice", /^budget workspace /);
    await hands.submit("alice", { [workspace]: { workspace: { type: "plain_text_input", value: "900000000" } } });
    await hands.modal("alice", /900.?000.?000/);
    hands.close("alice");
  });

  test("a call that needs a click: allowed once, for the thread, changed first, denied", async () => {
    const { tools } = await running.app.operations.externalTools("acme");
    const fingerprints = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, tools.find((tool) => tool.name === name)?.fingerprint ?? ""]));
    const approve = (name: string, effect: "side-effect" | "read-outside") =>
      running.app.operations.decideExternal({ workspace: "acme", tools: fingerprints([name]), approve: true, effect });
    await approve("tracker__echo", "side-effect");
    await approve("tracker__big", "read-outside");
    const card = async (question: string, thread?: string) => {
      const ts = hands.post(bob, question, thread);
      return { thread: thread ?? ts, card: await hands.sees(bob, /"call_deny"/, thread ?? ts) };
    };
    const once = await card("@footnote call tracker__echo with one");
    await hands.click(bob, once.card, "call_allow_once");
    await hands.sees(bob, /It says[\s\S]*one[\s\S]*Trace/, once.thread);

    const edited = await card("@footnote call tracker__echo with two");
    await hands.click(bob, edited.card, "call_edit");
    await hands.modal("bob", /call_edited/);
    await hands.submit("bob", { arguments: { arguments: { type: "plain_text_input", value: '{"value":"three"}' } } });
    await hands.sees(bob, /It says[\s\S]*three[\s\S]*Trace/, edited.thread);

    // What stands before it in the thread is others' text: reading outside needs a click then, which may count for the thread.
    const remembered = await card("call tracker__big with 5", edited.thread);
    await hands.click(bob, remembered.card, "call_allow_thread");
    await hands.sees(bob, /It says[\s\S]*xxxxx/, edited.thread);

    const denied = await card("@footnote call tracker__echo with four");
    await hands.click(bob, denied.card, "call_deny");
    await hands.sees(bob, /Trace/, denied.thread);
  });

  test("somebody joins, a channel is shared, the app is removed", async () => {
    const { slack } = running;
    slack.people.join({ workspace: "acme", as: "gina", channel: "people-ops" });
    const envelope = slack.envelopes.at(-1) ?? {};
    const channel = slack.workspace("acme").channel("people-ops");
    const event = { type: "channel_shared", channel, connected_team_id: "T0OTHER", event_ts: "1.000001" };
    await slack.deliver({ ...envelope, event_id: "EvShared", event });
    slack.administration.uninstall({ workspace: "globex" });
    const status = async () => (await running.app.operations.workspaces()).find(({ name }) => name === "globex")?.status;
    while ((await status()) !== "suspended") await systemClock.sleep(50);
  });

  test("a channel's files: followed from App Home, told of by Slack, read again, given up; the bot leaves channels", async () => {
    const { people, screens } = running.slack;
    const board = { as: "alice", channel: "board" };
    const bytes = (words: string) => new TextEncoder().encode(`# Shelves\n\n${words}\n`);
    screens.openHome({ workspace: "acme", as: "alice" });
    await hands.home("alice", /source_new/);
    await hands.press("alice", "source_new", /source_follow/, { surface: "home", opens: true });
    const chosen = (field: string, value: string) => ({ [field]: { [field]: { type: "static_select", selected_option: { value } } } });
    await hands.submit("alice", { ...chosen("channel", running.slack.workspace("acme").channel("board")), ...chosen("every", "60") });
    await hands.modal("alice", /followed from here on/);
    hands.close("alice");
    hands.post(board, "our shelves", undefined, [{ name: "shelves.md", bytes: bytes("Oak.") }]);
    const file = people.files.named("acme", "shelves.md");
    people.files.change({ workspace: "acme", file, bytes: bytes("Beech.") });
    people.files.share({ workspace: "acme", ...alice, file });
    people.files.share({ workspace: "acme", ...alice, file, out: true });
    screens.openHome({ workspace: "acme", as: "alice" });
    await hands.home("alice", /source_open/);
    await hands.press("alice", "source_open", /source_read/, { surface: "home", opens: true });
    await hands.press("alice", "source_read", /source_remove/);
    await hands.press("alice", "source_remove", /not followed any more/);
    hands.close("alice");
    people.join({ workspace: "acme", as: "footnote", channel: "board", leave: true });
    people.join({ workspace: "acme", as: "footnote", channel: "people-ops", leave: true });
    await until(() => reached.has("event group_left") && reached.has("event channel_left"));
  });

  test("every listener, button, menu, form, shortcut and command of the bot was reached, and Slack refused nothing", async () => {
    await until(() => reached.has("event app_uninstalled") && reached.has("event tokens_revoked"));
    expect(listeners.map(nameOf).filter((name) => !reached.has(name))).toEqual([]);
    // A stream that Slack has closed, a modal that changed in between, and a workspace that is gone say so; nothing else is refused.
    const expected = ["stopped_by_user", "hash_conflict"];
    expect(running.slack.problems.filter(({ workspace, error }) => workspace !== "globex" && !expected.includes(error ?? ""))).toEqual([]);
  });
});
