import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Command, slashCommand } from "../../../src/bot/commands/command.ts";
import { Commands } from "../../../src/bot/commands/commands.ts";
import type { Given } from "../../../src/bot/commands/given.ts";
import type { MessageBody } from "../../../src/bot/out/slack-writer.ts";
import type { IncomingMessage } from "../../../src/bot/turns/turn-store.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { channelId, messageTs, newId, type TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import { defineTool, text } from "../../../src/plugins/define.ts";
import { AppRoleRepository } from "../../../src/store/repositories/app-roles.ts";
import { ChannelAudienceRepository } from "../../../src/store/repositories/channel-audiences.ts";
import { CommandRepository } from "../../../src/store/repositories/commands.ts";
import { SlackFileRepository } from "../../../src/store/repositories/slack-files.ts";
import { SourceRepository } from "../../../src/store/repositories/sources.ts";
import { TemplateRepository } from "../../../src/store/repositories/templates.ts";
import { ToolChoiceRepository } from "../../../src/store/repositories/tool-choices.ts";
import { serverDeskOn } from "../../fakes/own-servers.ts";
import { person } from "../../fakes/people.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

const tools = ["query_documents", "web_search"].map((name) =>
  defineTool({ name, description: "Does.", parameters: { type: "object", properties: {} }, execute: async () => text("") }),
);
const names = tools.map(({ name }) => name);
const [channel, thread] = [channelId("C1"), messageTs("1.000001")];

const everybody: readonly Person[] = [
  person("owner", { role: "owner" }),
  person("admin", { role: "admin" }),
  person("member"),
  person("guest", { role: "guest" }),
  // An outsider's own workspace may call them an admin: the directory says outsider all the same.
  person("outsider", { role: "outsider" }),
  person("bot", { role: "admin", isBot: true }),
  person("gone", { role: "owner", deactivated: true }),
];
const [admin, member] = [everybody[1] as Person, everybody[2] as Person];

describe.each(testDatabases)("commands on the %s database", (kind) => {
  let db: TestDatabase;
  let tenant: TenantId;
  let other: TenantId;
  let replies: { readonly to: string; readonly text: string }[];
  let asked: IncomingMessage[];
  let responses: string[];
  let commands: Commands;
  /** What the database waits for. */
  let slowly: Promise<void>;
  const choicesOf = (whose: TenantId) => new ToolChoiceRepository(whose, db.database.forTenant(whose), names);

  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    [tenant, other] = [await db.addTenant(), await db.addTenant()];
    replies = [];
    asked = [];
    responses = [];
    slowly = Promise.resolve();
    commands = new Commands({
      desk: async (whose) => {
        await slowly;
        return {
          commands: new CommandRepository(whose, db.database.forTenant(whose)),
          templates: new TemplateRepository(whose, db.database.forTenant(whose)),
          choices: choicesOf(whose),
          files: new SlackFileRepository(whose, db.database.forTenant(whose)),
          sources: new SourceRepository(db.database.forTenant(whose), whose),
          audiences: new ChannelAudienceRepository(whose, db.database.forTenant(whose)),
          roles: new AppRoleRepository(whose, db.database.forTenant(whose)),
          servers: serverDeskOn(db, whose),
          directory: {
            personNow: async (id) => everybody.find((each) => each.id === id),
            findPerson: async (name) => everybody.find((each) => each.name === name.replace(/^@/, "")),
            channelsOf: async () => [channel],
          },
          writer: {
            post: async (_channel, _thread, body) => {
              replies.push({ to: "everybody", text: body()?.text ?? "" });
              return messageTs("9.000001");
            },
            postEphemeral: async (_channel, to, body: MessageBody) => void replies.push({ to, text: body.text }),
          },
        };
      },
      tools,
      models: ["small"],
      inbox: {
        accept: async (_tenant, message) => {
          asked.push(message);
          return "queued";
        },
      },
      documents: { read: () => undefined, remove: async () => "gone", isReading: () => false },
      respond: async (_url, body) => {
        responses.push(body.text);
        return false;
      },
      templateChanged: () => {},
      clock: systemClock,
      log: silentLogger,
    });
  });

  const given = (who: Pick<Person, "id">, more: Partial<Given> = {}): Given => ({
    ...{ tenant, person: who.id, channel, direct: false, key: newId() },
    ...more,
  });
  const say = async (who: Pick<Person, "id">, typed: string, more: Partial<Given> = {}) => {
    await commands.fromMessage(given(who, more), slashCommand(typed), true);
    await commands.drained();
  };
  const audit = (whose: TenantId = tenant) =>
    db.asOwner<{ line: string }>(
      `SELECT concat_ws(' ', actor, action, subject, scope, channel_id, thread_ts, outcome) AS line FROM audit_log
       WHERE tenant_id = '${whose}' ORDER BY noted_at, action, subject`,
    );
  const lines = async () => (await audit()).map(({ line }) => line.replace(/ +/g, " "));
  const outcome = async () => (await lines()).map((line) => line.split(" ").at(-1)).join(" ") || "nothing";

  /** A server that is there without a line in the audit log. */
  const plantServer = () =>
    db.asOwner(
      `INSERT INTO workspace_servers (tenant_id, name, title, url, changed_by) VALUES ('${tenant}', 'tracker', 'Tracker', 'https://x.example', 'U')`,
    );

  /** What each of `everybody` may do: the outcome in the audit log. "silent": no reply at all. */
  const table: readonly (readonly [string, string, Partial<Given>, string])[] = [
    ["a list", "tools", {}, "nothing nothing nothing nothing nothing silent silent"],
    ["a switch for oneself", "tools off web_search for me", {}, "done done done done refused silent silent"],
    ["a switch in a thread", "tools off web_search", { thread }, "done done done done refused silent silent"],
    ["a switch in a channel", "tools off web_search here", {}, "done done refused refused refused silent silent"],
    [
      "a channel's switch out of a thread",
      "tools off web_search in this channel",
      { thread },
      "done done refused refused refused silent silent",
    ],
    ["a lock", "tools lock web_search", {}, "done done refused refused refused silent silent"],
    ["an unlock", "tools unlock query_documents", {}, "done done refused refused refused silent silent"],
    ["a template", "template use document-analysis", {}, "done done refused refused refused silent silent"],
    ["the asker's rights for a channel", "audience asker", {}, "done done refused refused refused silent silent"],
    ["an external server that is removed", "mcp remove tracker", {}, "done done refused refused refused silent silent"],
    [
      "a server that is added without the form",
      "mcp add tracker https://x.example",
      {},
      "nothing nothing refused refused refused silent silent",
    ],
    ["the documents from Slack", "docs", {}, "nothing nothing nothing nothing nothing silent silent"],
    ["with whose rights a channel is answered", "audience", {}, "nothing nothing nothing nothing nothing silent silent"],
    ["the templates", "template list", {}, "nothing nothing nothing nothing nothing silent silent"],
    ["a role for the workspace", "role grant @member auditor", {}, "done refused refused refused refused silent silent"],
    ["a role for the channel", "role grant member Tool Manager here for 7 days", {}, "done done refused refused refused silent silent"],
    ["a role taken back", "role revoke @member tool-manager", {}, "unchanged refused unchanged refused refused silent silent"],
    ["how roles are given", "role what", {}, "nothing nothing nothing nothing nothing silent silent"],
    ["a role that there is not", "role grant @member king", {}, "nothing nothing nothing nothing nothing silent silent"],
    ["a question", "ask Really?", {}, "nothing nothing nothing nothing nothing silent silent"],
  ];

  describe.each(table)("%s (%s)", (_, typed, more, verdicts) => {
    test.each(everybody.map((who, at) => [who.name, who, verdicts.split(" ")[at] ?? ""] as const))(
      "by the %s",
      async (name, who, verdict) => {
        await choicesOf(tenant).switchOff("query_documents", { scope: "admin" });
        if (typed.startsWith("mcp remove")) await plantServer();
        await say(who, typed, more);
        const done = { silent: "nothing" }[verdict] ?? verdict;
        expect(await outcome()).toBe(done);
        expect(replies).toHaveLength(verdict === "silent" ? 0 : 1);
        const takesPart = ["owner", "admin", "member", "guest"].includes(name);
        expect(asked).toHaveLength(typed.startsWith("ask") && takesPart ? 1 : 0);

        const { switchedOff, template } = await choicesOf(tenant).read(channel, who.id, thread);
        const off = Object.values(switchedOff).some((set) => set.has("web_search")) || !template.has("web_search");
        const unlocked = !switchedOff.admin.has("query_documents");
        const asker = (await new ChannelAudienceRepository(tenant, db.database.forTenant(tenant)).inChannel(channel)) === "asker";
        const held = (await new AppRoleRepository(tenant, db.database.forTenant(tenant)).of(member.id, systemClock.now())).length > 0;
        const removed = typed.startsWith("mcp remove") && (await serverDeskOn(db, tenant).list()).length === 0;
        expect(off || unlocked || asker || held || removed).toBe(verdict === "done");
      },
    );
  });

  test("the log says who did what where, with what outcome", async () => {
    await say(member, "tools off web_search", { thread });
    await say(member, "tools off web_search", { thread });
    await say(member, "tools lock web_search");
    await say(admin, "template use document-analysis");
    expect(await lines()).toEqual([
      "U_MEMBER tool-off web_search thread C1 1.000001 done",
      "U_MEMBER tool-off web_search thread C1 1.000001 unchanged",
      "U_MEMBER tool-lock web_search admin C1 refused",
      "U_ADMIN template-use document-analysis C1 done",
    ]);
    expect(replies[1]?.text).toContain("was already off in this thread");
    expect(await audit(other)).toEqual([]);
  });

  test("a command that comes five times, three of them at once, is carried out and answered once", async () => {
    const same = given(member);
    const off: Command = slashCommand("tools off web_search");
    await Promise.all([1, 2, 3].map(() => commands.fromMessage(same, off, true)));
    await commands.fromMessage(same, off, true);
    commands.fromSlash(same, off);
    await commands.drained();
    expect([await outcome(), replies.length]).toEqual(["done", 1]);
  });

  test("a slash command does not wait for a slow database; given twice, it is done once and the second says so", async () => {
    let release = () => {};
    slowly = new Promise((resolve) => {
      release = resolve;
    });
    for (const key of ["slash 1", "slash 2"]) commands.fromSlash(given(member, { key }), slashCommand("tools off web_search"));
    expect(replies).toEqual([]);
    release();
    await commands.drained();
    expect((await outcome()).split(" ").sort()).toEqual(["done", "unchanged"]);
    const said = replies.map(({ text: shown }) => shown).join(" ");
    expect(said).toContain("now off for you");
    expect(said).toContain("already off for you");
  });

  test("when the database fails, a slash command says that nothing was changed, and a message is delivered again", async () => {
    slowly = Promise.reject(new Error("down"));
    slowly.catch(() => {});
    await expect(commands.fromMessage(given(member), slashCommand("tools"), true)).rejects.toThrow("down");
    commands.fromSlash(given(member, { responseUrl: "https://hooks.slack.com/x" }), slashCommand("tools"));
    await commands.drained();
    expect([await outcome(), responses]).toEqual(["nothing", [expect.stringContaining("nothing was changed")]]);
  });

  test("two processes with the same command carry it out once", async () => {
    const same = given(member);
    const direct = (name: string) =>
      new CommandRepository(tenant, db.database.forTenant(tenant)).switchTools(
        { key: same.key, attempts: [{ actor: name, action: "tool-off", subject: "web_search" }] },
        { state: "off", tools: ["web_search"], at: { scope: "person", person: member.id } },
      );
    const results = await Promise.all([direct("one"), direct("two")]);
    expect(results.filter((result) => result === "seen")).toHaveLength(1);
    expect(await outcome()).toBe("done");
  });

  test("another workspace's commands change nothing here, with the same names and ids", async () => {
    await say(admin, "tools lock web_search", { tenant: other });
    await say(admin, "template use document-analysis", { tenant: other });
    const here = await choicesOf(tenant).read(channel, admin.id, thread);
    expect([here.switchedOff.admin.size, here.template.size, here.lockedByTemplate]).toEqual([0, 2, undefined]);
    expect((await choicesOf(other).read(channel, admin.id)).switchedOff.admin.size).toBe(1);
  });

  test("somebody Slack does not know changes nothing and is told to try again", async () => {
    await say(person("stranger"), "tools off web_search");
    expect([await outcome(), replies[0]?.text]).toEqual(["nothing", expect.stringContaining("nothing was changed")]);
  });

  test("one unknown name among several changes none of them", async () => {
    await say(member, "tools off web_search, wether");
    expect(await outcome()).toBe("nothing");
    expect(replies[0]?.text).toContain("I know no tool *wether*.");
  });

  test.each(["tools off ' OR 1=1 --", 'template use x"; DROP TABLE templates', "template use __proto__", "tools off constructor"])(
    "%j is a name like any other: unknown",
    async (typed) => {
      await say(admin, typed);
      expect(await outcome()).toBe("nothing");
      expect(replies[0]?.text).toMatch(/I know no tool|There is no template/);
    },
  );

  test("a name that pings everybody pings nobody", async () => {
    await say(admin, "tools off <!channel>");
    await say(admin, "template use <!here>");
    await say(member, "ask <!everyone> <@U1>?");
    for (const { text: shown } of replies) expect(shown).not.toMatch(/<!|<@/);
  });

  test("everything is switched at once, and taken back", async () => {
    await say(member, "tools off all");
    expect((await choicesOf(tenant).read(channel, member.id)).switchedOff.person).toEqual(new Set(names));
    await say(member, "tools reset");
    expect((await choicesOf(tenant).read(channel, member.id)).switchedOff.person.size).toBe(0);
  });

  test("a template with a model that the operator has taken away cannot be chosen", async () => {
    const templates = new TemplateRepository(tenant, db.database.forTenant(tenant));
    const template = {
      name: "x",
      title: "X",
      instructions: "",
      tools: {},
      otherTools: "on",
      reply: "thread",
      suggestedPrompts: [],
    } as const;
    await templates.apply({ ...template, model: "huge" }, "operator");
    await say(admin, "template use x");
    expect(replies[0]?.text).toContain("is not allowed here");
    expect(await templates.inChannel(channel)).toBeUndefined();
    await templates.apply({ ...template, model: "small" }, "operator");
    await say(admin, "template use x");
    expect((await templates.inChannel(channel))?.model).toBe("small");
  });

  test("a template's versions are kept, the same content makes none, and channels follow the newest", async () => {
    const templates = new TemplateRepository(tenant, db.database.forTenant(tenant));
    const one = { name: "x", title: "X", instructions: "One", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts: [] } as const;
    const applied = [await templates.apply(one, "operator"), await templates.apply(one, "operator")];
    await say(admin, "template use x");
    applied.push(await templates.apply({ ...one, instructions: "Two" }, "operator"));
    expect(applied.map(({ version, status }) => `${version} ${status}`)).toEqual(["1 added", "1 unchanged", "2 changed"]);
    expect((await templates.inChannel(channel))?.instructions).toBe("Two");
    const kept = await db.asOwner<{ n: number }>(`SELECT count(*)::int AS n FROM templates WHERE tenant_id = '${tenant}'`);
    expect(kept).toEqual([{ n: 2 }]);
  });

  test("a template that is gone leaves the channel without tools, not with all of them", async () => {
    await db.asOwner(`INSERT INTO channel_templates (tenant_id, channel_id, template) VALUES ('${tenant}', '${channel}', 'gone')`);
    expect((await choicesOf(tenant).read(channel, admin.id)).template.size).toBe(0);
  });

  test("applied by two at once, a template has one version per content", async () => {
    const templates = new TemplateRepository(tenant, db.database.forTenant(tenant));
    const one = { name: "x", title: "X", instructions: "", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts: [] } as const;
    const applied = await Promise.all([1, 2, 3].map(() => templates.apply(one, "operator")));
    expect(applied.map(({ version }) => version)).toEqual([1, 1, 1]);
  });
});
