import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { controls, forms, shortcuts } from "../../../src/bot/surfaces/controls.ts";
import { newId, traceId } from "../../../src/core/ids.ts";
import { channelPrincipal } from "../../../src/core/principal.ts";
import type { ToggleScope } from "../../../src/permissions/toggles.ts";
import { documentIdOf, passageIdOf } from "../../fakes/memory-library.ts";
import { channel } from "../../fakes/people.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, hall, identities, member, owner, thread } from "./surface-bench.ts";

/** What somebody's panel carries, opened in a thread of the hall. */
const panel = (person: string, scope: ToggleScope): NonNullable<Click["view"]> => ({
  ...{ id: "V1", hash: "h", kind: "modal" },
  metadata: JSON.stringify({ person, channel: hall, thread, direct: false, scope, page: 0 }),
});

describe.each(testDatabases)("who may do what on the %s database", (kind) => {
  let bench: Bench;
  let answer: string;
  let asked: string;
  let source: string;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(async () => {
    await bench.reset();
    answer = (await bench.answer()).id;
  });

  const privately = new Set(["search_privately", "share_answer", "keep_files"]);
  /** What everybody in the hall may see. */
  const hallRules = [{ n: 1, id: passageIdOf("Hall rules", 1), relevance: 0.5, documentId: documentIdOf("Hall rules") }];
  let answers: Awaited<ReturnType<Bench["privateAnswers"]>> = new Map();
  const own = (person: string) => answers.get(person) ?? { turn: newId(), trace: newId() };
  /** Questions that wait behind one of their asker's, by asker. */
  let waiting: ReadonlyMap<string, string> = new Map();
  /** What a modal about templates carries, with the built-in one as a workspace's own. */
  const templates = (person: string): NonNullable<Click["view"]> => ({
    ...{ id: "V1", hash: "h", kind: "modal" },
    metadata: JSON.stringify({ person, channel: hall, page: 0, name: "general", onto: 2, parts: 1 }),
  });
  const rolesOf = (person: string): NonNullable<Click["view"]> => ({
    ...{ id: "V1", hash: "h", kind: "modal" },
    metadata: JSON.stringify({ person, channel: hall, page: 0, sent: 0, language: "en" }),
  });
  const ownerAudits = async () => {
    const { roles } = await bench.desk(bench.tenant);
    const now = new Date(bench.now());
    const grant = { person: owner.id, role: "auditor", grantedBy: owner.id, until: new Date(bench.now() + 86_400_000) } as const;
    await roles.grant({ key: newId(), attempts: [] }, grant, now);
  };
  /** What the modal about external servers carries. */
  const serversOf = (person: string, name?: string): NonNullable<Click["view"]> => ({
    ...{ id: "V1", hash: "h", kind: "modal" },
    metadata: JSON.stringify({ person, language: "en", access: "open", name }),
  });
  const withServer = async () => {
    const { servers } = await bench.desk(bench.tenant);
    const entry = { name: "tracker", title: "Our tracker", url: "https://tracker.example/mcp", access: { kind: "open" } } as const;
    await servers.save(entry, { key: newId(), actor: owner.id });
    bench.changedServers.length = 0;
  };
  const followsHall = async () => {
    const { sources } = await bench.desk(bench.tenant);
    return (await sources.add({ name: "hall", kind: "slack", address: hall, grants: [channelPrincipal(hall)], everyMinutes: 60 })).id;
  };
  /** Two versions of a template, and a question to try it on. */
  async function withTemplates(): Promise<void> {
    asked = await bench.ask("What is our leave?");
    for (const title of ["General assistant", "General assistant!"]) await bench.templateNamed("general", title);
  }
  /** Actions about something that only this workspace has: in another one they do not do what they do here. */
  const ownHere = new Set([
    "show_sources",
    "rate_answer",
    "comment_answer",
    "search_privately",
    "share_answer",
    "keep_files",
    "take_in",
    "connection_log_in",
    "connection_log_out",
    "show_servers",
    "server_edit",
    "server_remove",
    "source_open",
    "source_read",
    "source_remove",
  ]);
  const filled = new Map(Object.entries({ title: "Mine", others: "on", reply: "thread" }));

  type Row = readonly [name: string, action: string, more: (person: string) => Partial<Click>, allowed: RegExp, who: string];
  const at = { channel: hall, thread };
  const home = (block = "") => ({ view: { id: "V1", hash: "h", kind: "home" as const, metadata: "{}" }, block });
  /** Of owner, admin, member, guest, outsider, other bot, closed account: y is allowed, n is not. */
  const table: readonly Row[] = [
    ["sees sources", "show_sources", () => ({ value: answer, at }), /\[2\].*Hall rules/, "yyyynnn"],
    ["sees a workspace-wide source", "show_sources", () => ({ value: answer, at }), /\[1\].*Handbook/, "yyynnnn"],
    ["opens the tools", "show_tools", () => ({ at }), /Web search/, "yyyynnn"],
    ["looks at their own scope", "tools_scope", (id) => ({ view: panel(id, "thread"), value: "person" }), /Only me/, "yyyynnn"],
    ["looks at the workspace's scope", "tools_scope", (id) => ({ view: panel(id, "thread"), value: "admin" }), /\nLock/, "yynnnnn"],
    ["turns a page", "tools_next", (id) => ({ view: panel(id, "thread"), value: "1" }), /Web search/, "yyyynnn"],
    ["turns back", "tools_previous", (id) => ({ view: panel(id, "thread"), value: "0" }), /Web search/, "yyyynnn"],
    ["opens the tools from Home", "show_tools", () => home(), /Web search/, "yyyynnn"],
    ["opens the tool policy", "show_policy", () => home(), /\nLock/, "yynnnnn"],
    ["turns a page of Home", "home_next", () => ({ ...home(), value: "recent 1" }), /Hello/, "yyyynnn"],
    ["turns a page of Home back", "home_previous", () => ({ ...home(), value: "recent 0" }), /Hello/, "yyyynnn"],
    ["sees the workspace's own external servers", "show_servers", () => home(), /Our tracker/, "yynnnnn"],
    ["begins another one", "server_new", () => home(), /\nAddress/, "yynnnnn"],
    ["begins one in the list's place", "server_new", (id) => ({ view: serversOf(id) }), /\nAddress/, "yynnnnn"],
    ["changes a server", "server_edit", (id) => ({ view: serversOf(id), value: "tracker" }), /`tracker`\n/, "yynnnnn"],
    ["says how one logs in there", "server_access", (id) => ({ view: serversOf(id), value: "login" }), /Authorization server/, "yynnnnn"],
    ["removes a server", "server_remove", (id) => ({ view: serversOf(id), value: "tracker" }), /\*tracker\* is removed/, "yynnnnn"],
    ["logs in at a server", "connection_log_in", () => ({ ...home(), value: "calendar" }), /Log in at Calendar/, "yyyynnn"],
    ["logs out there", "connection_log_out", () => ({ ...home(), value: "calendar" }), /Calendar.*Not connected/s, "yyyynnn"],
    ["sees what is for admins in Home", "home_next", () => ({ ...home(), value: "worst 0" }), /For admins/, "yynnnnn"],
    [
      "chooses a channel's assistant",
      "channel_template",
      () => ({ ...home(`template ${hall} general`), value: "document-analysis" }),
      /<#C_HALL>\nDocument analysis/,
      "yynnnnn",
    ],
    ["opens the templates", "show_templates", () => ({ at }), /General assistant/, "yyyynnn"],
    ["turns a page of templates", "templates_next", (id) => ({ view: templates(id), value: "1" }), /General assistant/, "yyyynnn"],
    ["turns it back", "templates_previous", (id) => ({ view: templates(id), value: "0" }), /General assistant/, "yyyynnn"],
    ["goes back to the templates", "templates_back", (id) => ({ view: templates(id) }), /General assistant/, "yyyynnn"],
    ["opens a template", "template_open", (id) => ({ view: templates(id), value: "general" }), /General assistant/, "yyyynnn"],
    ["sees its instructions", "template_open", (id) => ({ view: templates(id), value: "general" }), /Instructions/, "yynnnnn"],
    ["begins a thread with it", "template_start", (id) => ({ view: templates(id), value: "general" }), /\nQuestion/, "yyyynnn"],
    ["begins a new template", "template_new", (id) => ({ view: templates(id) }), /\nInstructions/, "yynnnnn"],
    ["begins one from Home", "template_new", () => home(), /\nInstructions/, "yynnnnn"],
    ["changes a template", "template_edit", (id) => ({ view: templates(id), value: "general" }), /\nInstructions/, "yynnnnn"],
    ["sees its versions", "template_versions", (id) => ({ view: templates(id), value: "0" }), /Version 1/, "yynnnnn"],
    ["turns a page of versions", "versions_next", (id) => ({ view: templates(id), value: "1" }), /Versions of/, "yynnnnn"],
    ["turns that back", "versions_previous", (id) => ({ view: templates(id), value: "0" }), /Version 1/, "yynnnnn"],
    ["compares versions", "template_compare", (id) => ({ view: templates(id), value: "1" }), /From version 1/, "yynnnnn"],
    ["rolls back", "template_roll_back", (id) => ({ view: templates(id), value: "1" }), /Version 3 says/, "yynnnnn"],
    ["chooses a channel for it", "template_channel", (id) => ({ view: templates(id), value: hall }), /Use in #hall/, "yynnnnn"],
    ["gives it to the channel", "template_use", (id) => ({ view: templates(id), value: "general" }), /is now this one/, "yynnnnn"],
    ["previews a template", "template_preview", (id) => ({ view: templates(id), value: "general" }), /last questions/, "yynnnnn"],
    ["previews a form", "template_preview_draft", (id) => ({ view: templates(id), entered: filled }), /\*Mine\* in <#C_HALL>/, "yynnnnn"],
    ["previews for another channel", "preview_channel", (id) => ({ view: templates(id), value: hall }), /last questions/, "yynnnnn"],
    ["tries it out", "template_try", (id) => ({ view: templates(id), value: asked }), /As General assistant. says/, "yynnnnn"],
    ["opens the roles", "show_roles", () => ({ at }), /A role lets/, "yyyynnn"],
    ["opens the form for giving one", "show_roles", () => ({ at }), /Give a role/, "yynnnnn"],
    ["sees who holds which", "show_roles", () => ({ at }), /<@U_OWNER> · \*Auditor/, "yynnnnn"],
    ["turns a page of roles", "roles_next", (id) => ({ view: rolesOf(id), value: "1" }), /A role lets/, "yyyynnn"],
    ["turns that back to the first", "roles_previous", (id) => ({ view: rolesOf(id), value: "0" }), /A role lets/, "yyyynnn"],
    [
      "takes a role back",
      "role_revoke",
      (id) => ({ view: rolesOf(id), value: "auditor U_OWNER" }),
      /<@U_OWNER> is no longer \*Auditor/,
      "ynnnnnn",
    ],
    ["begins to follow a channel's files", "source_new", () => home(), /#hall/, "yynnnnn"],
    ["sees how a source stands", "source_open", () => ({ ...home(), value: source }), /<#C_HALL>/, "yynnnnn"],
    ["has a source read", "source_read", (id) => ({ view: panel(id, "person"), value: source }), /as soon as may be/, "yynnnnn"],
    ["ends a source", "source_remove", (id) => ({ view: panel(id, "person"), value: source }), /not followed any more/, "yynnnnn"],
    ["sees what they have used", "show_usage", () => home(), /\*Yours\*/, "yyyynnn"],
    ["sees what everybody has used", "show_usage", () => home(), /\*The whole workspace\*/, "yynnnnn"],
    ["opens the form for budgets", "show_usage", () => home(), /\*Budgets\*/, "yynnnnn"],
    ["gives a thumb up", "rate_answer", () => ({ value: `up ${answer}`, at }), /that is noted/, "yyyynnn"],
    ["adds a comment", "comment_answer", () => ({ value: `up ${answer}`, at }), /What was good/, "yyyynnn"],
    ["gives a thumb down", "rate_answer", () => ({ value: `down ${answer}`, at }), /What was wrong/, "yyyynnn"],
    [
      "has their question taken into their running answer",
      "take_in",
      (id) => ({ value: waiting.get(id) ?? "", at }),
      /becomes part of/,
      "yyyynnn",
    ],
    [
      "has somebody else's question taken in",
      "take_in",
      (id) => ({ value: waiting.get(id === member.id ? admin.id : member.id) ?? "", at }),
      /becomes part of/,
      "nnnnnnn",
    ],
    ["searches privately", "search_privately", (id) => ({ value: own(id).turn, at }), /on its way in our direct message/, "yyyynnn"],
    [
      "looks at what sharing would post",
      "share_answer",
      (id) => ({ value: own(id).trace, at: { channel: channel(`DM_${id}`) } }),
      /would be posted.*18 weeks/s,
      "yyyynnn",
    ],
    [
      "asks about a message",
      "ask_about_this",
      () => ({ at, message: { ts: thread, author: "U1", text: "Leave is long.", files: [] } }),
      /Leave is long.*Into the thread/s,
      "yyyynnn",
    ],
    [
      "chooses who may see the file of a message",
      "add_to_knowledge",
      () => ({ at, message: { ts: thread, author: "U1", text: "", files: ["F01 leave.pdf"] } }),
      /leave\.pdf.*Only me/s,
      "yyynnnn",
    ],
    [
      "chooses the whole workspace",
      "add_to_knowledge",
      () => ({ at, message: { ts: thread, author: "U1", text: "", files: ["F01 leave.pdf"] } }),
      /Everybody in the workspace/,
      "yynnnnn",
    ],
    ["chooses who may see the files of their question", "keep_files", (id) => ({ value: own(id).turn, at }), /leave\.pdf/, "yyynnnn"],
    ...(["person", "thread", "channel", "admin"] as const).map(
      (scope): Row => [
        `switches in the scope ${scope}`,
        "tool_switch",
        (id) => ({ view: panel(id, scope), value: "off web_search" }),
        /(?:locked by an admin|switched off)/,
        scope === "person" || scope === "thread" ? "yyyynnn" : "yynnnnn",
      ],
    ),
  ];

  test("the table covers every button, menu and form", () => {
    // Forms have tests of their own: this one here, the others in private.test.ts, roles.test.ts, usage.test.ts, shortcuts.test.ts and test/bot/documents.
    const covered = new Set([
      ...table.map(([, action]) => action),
      "feedback_comment",
      "share_confirmed",
      "role_grant",
      "budget_set",
      "source_follow",
      "server_save",
      "template_save",
      "thread_start",
      "ask_about",
      "add_documents",
    ]);
    expect([...covered].sort()).toEqual([controls, forms, shortcuts].flatMap((each) => Object.keys(each)).sort());
  });

  test.each(identities.map((who, index) => [who.name, "yyyynnn"[index] === "y", who] as const))(
    "sends a comment (feedback_comment), the %s: %s",
    async (_name, may, who) => {
      const form = { ...panel(who.id, "person"), metadata: `down ${answer}` };
      await bench.click(who, "feedback_comment", { view: form, entered: new Map([["comment", "Wrong year."]]) });
      const { answers } = await (await bench.desk(bench.tenant)).feedback.worst({ limit: 9, offset: 0 });
      expect(answers.flatMap(({ comments }) => comments)).toEqual(may ? [{ person: who.id, text: "Wrong year." }] : []);
    },
  );

  test.each(identities.map((who, index) => [who.name, "yynnnnn"[index] === "y", who] as const))(
    "stores a template (template_save), the %s: %s",
    async (_name, may, who) => {
      await withTemplates();
      await bench.submit(who, "template_save", { view: templates(who.id), entered: filled });
      expect((await (await bench.desk(bench.tenant)).templates.find("general"))?.title === "Mine").toBe(may);
    },
  );

  test.each(identities.map((who, index) => [who.name, "yynnnnn"[index] === "y", who] as const))(
    "stores an external server (server_save), the %s: %s",
    async (_name, may, who) => {
      const entered = new Map(Object.entries({ name: "crm", title: "CRM", url: "https://crm.example/mcp" }));
      await bench.submit(who, "server_save", { view: serversOf(who.id), entered });
      expect((await (await bench.desk(bench.tenant)).servers.list()).map(({ name }) => name)).toEqual(may ? ["crm"] : []);
      expect(await (await bench.desk(bench.other)).servers.list()).toEqual([]);
    },
  );

  test.each(identities.map((who, index) => [who.name, "yyyynnn"[index] === "y", who] as const))(
    "asks in a thread with a template (thread_start), the %s: %s",
    async (_name, may, who) => {
      await bench.submit(who, "thread_start", { view: templates(who.id), entered: new Map([["question", "Why?"]]) });
      expect(bench.asked.length).toBe(may ? 1 : 0);
    },
  );

  describe.each(table)("%s (%s)", (_, action, more, allowed, verdicts) => {
    beforeEach(async () => {
      if (/^source_(?:open|read|remove)$/.test(action)) source = await followsHall();
      if (/role/.test(action)) await ownerAudits();
      if (/server/.test(action)) await withServer();
      if (/^(?:template_|versions_|preview_)/.test(action)) await withTemplates();
    });
    test.each(identities.map((who, index) => [who.name, verdicts[index] === "y", who] as const))("the %s: %s", async (_name, may, who) => {
      if (privately.has(action)) answers = await bench.privateAnswers(hallRules);
      if (action === "take_in") waiting = await bench.waitingQuestions();
      const seen = await bench.click(who, action, more(who.id));
      expect(allowed.test(`${seen}${bench.told.map(({ text }) => text).join()}`)).toBe(may);
      const kept = await (await bench.desk(bench.tenant)).feedback.find(traceId(answer), who.id);
      expect(kept !== undefined).toBe(may && action === "rate_answer");
      const off = Object.values((await bench.choices().read(hall, who.id, thread)).switchedOff).some((set) => set.has("web_search"));
      expect(off).toBe(may && action === "tool_switch");
      expect(bench.changedServers).toEqual(may && action === "server_remove" ? ["tracker"] : []);
    });

    test("an admin of another workspace, with the same id and in a channel of the same id there, reaches nothing here", async () => {
      // What only this workspace has: a template of its own in the hall, and a lock on a tool that the other one has, too.
      await bench.templateNamed("marker", "Marker assistant");
      await bench.choices().switchOff("query_documents", { scope: "admin" });
      if (privately.has(action)) answers = await bench.privateAnswers(hallRules);
      if (action === "take_in") waiting = await bench.waitingQuestions();
      const before = await bench.stored();
      const seen = await bench.click(admin, action, { ...more(admin.id), tenant: bench.other });
      // Also what stands in the fields of forms.
      const shown = JSON.stringify([seen, bench.shown, bench.told]);
      expect(shown).not.toMatch(
        /<@U_OWNER> · |Handbook|Hall rules|18 weeks|Marker|General assistant!|Our tracker|query_documents is locked|What is our leave/,
      );
      if (ownHere.has(action)) expect(allowed.test(shown)).toBe(false);
      expect(await bench.stored()).toEqual(before);
    });
  });

  test("nobody learns that there is another door: a stranger and a closed account are told or given nothing", async () => {
    const sources = { value: answer, at };
    expect(await bench.click(identities[4] ?? member, "show_sources", sources)).toContain("for people of this workspace only");
    bench.people = [];
    expect(await bench.click(member, "show_sources", sources)).toContain("could not tell me just now who you are");
  });
});
