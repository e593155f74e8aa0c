import { describe, expect, test } from "@jest/globals";
import type { Role } from "../../src/permissions/directory.ts";
import { enabledTools, type ToolChoices, whyNot } from "../../src/permissions/enabled-tools.ts";
import type { Standing } from "../../src/permissions/roles.ts";
import type { Tool } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";

const tool = (name: string, changes: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: "Does something.",
    parameters: { type: "object", properties: {} },
    execute: async () => text("done"),
    ...changes,
  });

const web = tool("web_search", {
  annotations: { title: "Web search" },
  featureFlag: "web",
  configure: ({ key }) => (key ? undefined : "Web search needs a key."),
});

const member: Standing = { role: "member", isBot: false, deactivated: false };
const noToggles = { admin: new Set<string>(), channel: new Set<string>(), thread: new Set<string>(), person: new Set<string>() };
const yes: ToolChoices = {
  flags: new Set(["web"]),
  settings: { key: "k" },
  allowed: new Set(["web_search"]),
  leastRole: new Map([["web_search", "member"]]),
  template: new Set(["web_search"]),
  switchedOff: noToggles,
};
const off = (scope: keyof typeof noToggles, name = "web_search"): Partial<ToolChoices> => ({
  switchedOff: { ...noToggles, [scope]: new Set([name]) },
});
const none: ReadonlySet<string> = new Set();

describe("a tool is there only when everybody says yes", () => {
  test("all say yes: there, and no reason why not", () => {
    expect(enabledTools([web], yes, member)).toEqual([web]);
    expect(whyNot(web, yes, member)).toBeUndefined();
  });

  test.each<[string, Partial<ToolChoices>, Partial<Standing>, string]>([
    ["the feature flag", { flags: none }, {}, "Web search is not released to this workspace yet; whoever runs Footnote can release it."],
    ["the configuration", { settings: {} }, {}, "Web search needs a key. Whoever runs Footnote can set it up."],
    ["the workspace's policy", { allowed: none }, {}, "Web search is not allowed in this workspace; a workspace admin can allow it."],
    ["the person's role", {}, { role: "guest" }, "Web search needs the role member or higher; a workspace admin can change that."],
    ["the channel's template", { template: none }, {}, "Web search is not part of this channel's assistant; a workspace admin can add it."],
    [
      "the template's lock",
      { lockedByTemplate: new Set(["Web-Search"]) },
      {},
      "Web search is locked out of this channel's assistant; a workspace admin can change its template.",
    ],
    ["an admin's lock", off("admin"), {}, "Web search is locked by an admin; only a workspace admin can unlock it."],
    ["the channel's toggle", off("channel"), {}, "Web search is switched off in this channel; a workspace admin can switch it on."],
    ["the thread's toggle", off("thread"), {}, "Web search is switched off in this thread; anybody in the thread can switch it on."],
    ["the person's toggle", off("person"), {}, "Web search is switched off by you; you can switch it on."],
    ["an outsider", {}, { role: "outsider" }, "Tools are for people of this workspace; nobody can change that."],
    ["a bot", {}, { isBot: true }, "Tools are for people of this workspace; nobody can change that."],
    ["a deactivated account", {}, { deactivated: true }, "Tools are for people of this workspace; nobody can change that."],
  ])("no by %s", (_, choices, who, reason) => {
    const [all, somebody] = [
      { ...yes, ...choices },
      { ...member, ...who },
    ];
    expect(enabledTools([web], all, somebody)).toEqual([]);
    expect(whyNot(web, all, somebody)).toBe(reason);
  });

  test("a tool without flag, settings or least role needs none, and a guest may use it", () => {
    const plain = tool("plain");
    const choices = { ...yes, flags: none, settings: {}, allowed: new Set(["plain"]), template: new Set(["plain"]), leastRole: new Map() };
    expect(enabledTools([plain], choices, { ...member, role: "guest" })).toEqual([plain]);
  });

  test("nothing said means nothing enabled", () => {
    const nothing = { flags: none, settings: {}, allowed: none, leastRole: new Map(), template: none, switchedOff: noToggles };
    expect(enabledTools([tool("a"), tool("b"), web], nothing, { ...member, role: "owner" })).toEqual([]);
  });
});

describe("the first reason is the one that matters", () => {
  const everyNo: ToolChoices = {
    flags: none,
    settings: {},
    allowed: none,
    template: none,
    leastRole: new Map([["web_search", "owner"]]),
    switchedOff: {
      admin: new Set(["web_search"]),
      channel: new Set(["web_search"]),
      thread: new Set(["web_search"]),
      person: new Set(["web_search"]),
    },
  };
  const steps: [string, Partial<ToolChoices>][] = [
    ["not released", { flags: yes.flags }],
    ["needs a key", { settings: yes.settings }],
    ["not allowed", { allowed: yes.allowed }],
    ["needs the role", { leastRole: yes.leastRole }],
    ["not part of", { template: yes.template }],
    ["locked by an admin", off("admin", "none")],
  ];

  test("in the order flag, settings, policy, role, template, lock, channel, thread, person", () => {
    let choices = everyNo;
    for (const [reason, granted] of steps.slice(0, 5)) {
      expect(whyNot(web, choices, member)).toContain(reason);
      choices = { ...choices, ...granted };
    }
    for (const [scope, reason] of [
      ["admin", "locked by an admin"],
      ["channel", "in this channel"],
      ["thread", "in this thread"],
      ["person", "by you"],
    ] as const) {
      expect(whyNot(web, choices, member)).toContain(reason);
      choices = { ...choices, switchedOff: { ...choices.switchedOff, [scope]: none } };
    }
    expect(whyNot(web, choices, member)).toBeUndefined();
  });
});

describe("what a person cannot get round", () => {
  test("a toggle only takes away: switching on what the policy forbids changes nothing", () =>
    expect(enabledTools([web], { ...yes, allowed: none, switchedOff: noToggles }, { ...member, role: "owner" })).toEqual([]));

  test.each(["web_search", "Web-Search", "WEB_SEARCH", "web search", "web__search", "ｗｅｂ_search", " web_search "])(
    "a rule written as %j holds for web_search in every scope",
    (spelling) => {
      for (const scope of ["admin", "channel", "thread", "person"] as const)
        expect(enabledTools([web], { ...yes, ...off(scope, spelling) }, member)).toEqual([]);
      const owners = new Map<string, Role>([[spelling, "owner"]]);
      expect(enabledTools([web], { ...yes, leastRole: owners }, member)).toEqual([]);
      expect(enabledTools([web], { ...yes, allowed: new Set([spelling]), template: new Set([spelling]) }, member)).toEqual([web]);
    },
  );

  test("a rule for another tool does not hold", () =>
    expect(enabledTools([web], { ...yes, ...off("admin", "web_searches") }, member)).toEqual([web]));

  test("of two rules for one tool in different spelling the stricter holds, in either order", () => {
    const rules: [string, Role][] = [
      ["web_search", "guest"],
      ["Web-Search", "admin"],
    ];
    for (const order of [rules, [...rules].reverse()])
      expect(enabledTools([web], { ...yes, leastRole: new Map(order) }, member)).toEqual([]);
  });

  test("a least role that does not exist is never reached", () =>
    expect(enabledTools([web], { ...yes, leastRole: new Map([["web_search", "king" as Role]]) }, { ...member, role: "owner" })).toEqual(
      [],
    ));

  test("a tool whose settings cannot be checked stays off, and the failure is not shown", () => {
    const broken = tool("web_search", {
      configure: () => {
        throw new Error("key xyz");
      },
    });
    expect(enabledTools([broken], yes, member)).toEqual([]);
    expect(whyNot(broken, yes, member)).not.toContain("xyz");
  });
});

test("tools come in name order, however they were registered, so that a prompt is the same on every run", () => {
  const names = ["c", "a", "b"];
  const all = names.map((name) => tool(name));
  const choices = { ...yes, allowed: new Set(names), template: new Set(names) };
  expect(enabledTools(all, choices, member).map(({ name }) => name)).toEqual(["a", "b", "c"]);
});
