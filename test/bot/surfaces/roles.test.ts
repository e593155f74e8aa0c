import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { HomeView } from "@slack/types";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { newId } from "../../../src/core/ids.ts";
import type { AppRole, Person } from "../../../src/permissions/directory.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, cellar, guest, hall, identities, member, owner, thread, wordsOf } from "./surface-bench.ts";

const day = 24 * 60 * 60 * 1000;
const start = new Date("2026-06-01T12:00:00Z");
const roles: readonly AppRole[] = ["template-editor", "tool-manager", "knowledge-editor", "auditor"];
const outsider = identities[4] as Person;

describe.each(testDatabases)("app roles on the %s database", (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(async () => {
    await bench.reset();
    bench.at = start;
  });

  const heldBy = async (who: Person, tenant = bench.tenant) =>
    (await (await bench.desk(tenant)).roles.of(who.id, bench.at ?? start)).map(
      ({ role, channel }) => `${role}${channel ? ` ${channel}` : ""}`,
    );
  /** Sends the form that the modal shows, opened in a channel. */
  const give = async (
    by: Person,
    to: readonly Person[],
    role: string,
    where: "workspace" | "channel",
    { days = "30", channel = hall } = {},
  ) => {
    const view = {
      ...{ id: "V1", hash: "h", kind: "modal" as const },
      metadata: JSON.stringify({ person: by.id, channel, page: 0, sent: 0, language: "en" }),
    };
    const entered = new Map(Object.entries({ people: to.map(({ id }) => id).join("\n"), role, where, days }));
    return bench.submit(by, "role_grant", { view, entered });
  };
  const granted = async (who: Person, role: AppRole, more: { channel?: typeof hall; until?: Date } = {}) => {
    const { roles: store } = await bench.desk(bench.tenant);
    await store.grant(
      { key: newId(), attempts: [] },
      { person: who.id, role, grantedBy: owner.id, until: new Date(start.getTime() + day), ...more },
      start,
    );
  };

  describe.each([
    ["in the whole workspace", "template-editor", "workspace", hall, "ynnnnnn"],
    ["in a channel that they are in", "tool-manager", "channel", hall, "yynnnnn"],
    ["in a channel where only the owner is", "tool-manager", "channel", cellar, "ynnnnnn"],
    ["that belongs to no channel, in a channel", "auditor", "channel", hall, "nnnnnnn"],
  ] as const)("a role %s", (_, role, where, channel, verdicts) => {
    test.each(identities.map((who, at) => [who.name, verdicts[at] === "y", who] as const))(
      "given by the %s: %s",
      async (_name, may, who) => {
        await give(who, [member], role, where, { channel });
        expect(await heldBy(member)).toEqual(may ? [`${role}${where === "channel" ? ` ${channel}` : ""}`] : []);
        const noted = (await bench.audit()).filter((line) => line.includes("role-grant"));
        // Whoever takes no part in the workspace does not come as far as the log.
        expect(noted.map((line) => line.split(" ").at(-1))).toEqual(may ? ["done"] : identities.indexOf(who) < 4 ? ["refused"] : []);
      },
    );
  });

  test.each(identities.map((who, at) => [who.name, "yyynnnn"[at] === "y", who] as const))(
    "the %s can hold a role: %s",
    async (_, may, who) => {
      const seen = await give(owner, [who], "auditor", "workspace");
      expect(await heldBy(who)).toEqual(may ? ["auditor"] : []);
      expect(seen).toContain(may ? `<@${who.id}> is now *Auditor* in the whole workspace` : "can hold no role");
    },
  );

  /** A click that only some may make, whether it does what it does for an admin, and who may beside admins. */
  const panel = (who: Person, scope: string, channel = hall): Pick<Click, "view"> => ({
    view: {
      ...{ id: "V1", hash: "h", kind: "modal" },
      metadata: JSON.stringify({ person: who.id, channel, direct: false, scope, page: 0 }),
    },
  });
  const home = async (who: Person, part: RegExp) => {
    bench.surface.homeOpened(bench.tenant, who.id);
    await bench.surface.drained();
    return part.test(wordsOf(bench.shown.at(-1)?.view as HomeView));
  };
  const acts: readonly (readonly [string, (who: Person) => Promise<boolean>, AppRole])[] = [
    ["writes a template", async (who) => /\nInstructions/.test(await bench.click(who, "template_new", {})), "template-editor"],
    [
      "chooses a channel's assistant",
      async (who) => {
        const block = `template ${hall} general`;
        await bench.click(who, "channel_template", {
          view: { id: "V1", hash: "h", kind: "home", metadata: "{}" },
          block,
          value: "document-analysis",
        });
        return (await (await bench.desk(bench.tenant)).templates.inChannel(hall))?.name === "document-analysis";
      },
      "template-editor",
    ],
    [
      "locks a tool",
      async (who) => {
        await bench.click(who, "tool_switch", { ...panel(who, "admin"), value: "off web_search" });
        return (await bench.choices().read(hall, owner.id)).switchedOff.admin.size > 0;
      },
      "tool-manager",
    ],
    [
      "switches a channel's tool",
      async (who) => {
        await bench.click(who, "tool_switch", { ...panel(who, "channel"), value: "off web_search" });
        return (await bench.choices().read(hall, owner.id)).switchedOff.channel.size > 0;
      },
      "tool-manager",
    ],
    ["sees the documents in Home", (who) => home(who, /Documents that you may read/), "knowledge-editor"],
    ["sees how answers went", (who) => home(who, /The last seven days/), "auditor"],
    [
      "sees everybody's roles",
      async (who) => new RegExp(`<@${owner.id}> · \\*Auditor`).test(await bench.click(who, "show_roles", {})),
      "auditor",
    ],
  ];
  describe.each(acts)("%s", (_, act, needed) => {
    test.each([...roles, undefined])("a member who holds %s", async (role) => {
      await granted(owner, "auditor");
      if (role) await granted(member, role);
      expect(await act(member)).toBe(role === needed);
    });

    test("not a guest who holds it still, and not somebody of another workspace with the same id", async () => {
      await granted(member, needed);
      bench.people = identities.map((each) => (each.id === member.id ? { ...each, role: "guest" as const } : each));
      expect(await act(member)).toBe(false);
    });

    test("up to the moment at which it ends, and not from then on", async () => {
      await granted(owner, "auditor", { until: new Date(start.getTime() + 9 * day) });
      await granted(member, needed);
      bench.at = new Date(start.getTime() + day);
      expect(await act(member)).toBe(false);
      bench.at = new Date(start.getTime() + day - 1);
      expect(await act(member)).toBe(true);
    });
  });

  test("a role for one channel counts there and nowhere else", async () => {
    await granted(member, "tool-manager", { channel: cellar });
    await bench.click(member, "tool_switch", { ...panel(member, "channel"), value: "off web_search" });
    await bench.click(member, "tool_switch", { ...panel(member, "admin"), value: "off web_search" });
    const off = async () => {
      const { switchedOff } = await bench.choices().read(hall, owner.id);
      return [switchedOff.channel.size, switchedOff.admin.size];
    };
    expect(await off()).toEqual([0, 0]);
    await granted(member, "tool-manager", { channel: hall });
    await bench.click(member, "tool_switch", { ...panel(member, "channel"), value: "off web_search" });
    await bench.click(member, "tool_switch", { ...panel(member, "admin"), value: "off query_documents" });
    expect(await off()).toEqual([1, 0]);
  });

  test("who holds a role can neither hand it on nor approve themselves another", async () => {
    for (const role of roles) await granted(member, role);
    await give(member, [member, admin], "auditor", "workspace", { days: "365" });
    await give(member, [admin], "tool-manager", "channel");
    expect(await heldBy(admin)).toEqual([]);
    const { grants } = await (await bench.desk(bench.tenant)).roles.list(start, { limit: 9, offset: 0 });
    expect(new Set(grants.map(({ until }) => until.getTime()))).toEqual(new Set([start.getTime() + day]));
  });

  test.each([
    ["the owner", owner, true],
    ["an admin", admin, false],
    ["a guest", guest, false],
    ["an outsider", outsider, false],
    ["who holds it", member, true],
  ] as const)("%s takes a role back: %p", async (_, who, may) => {
    await granted(member, "auditor");
    await bench.click(who, "show_roles", { at: { channel: hall, thread } });
    const metadata = JSON.stringify({ person: who.id, page: 0, sent: 0, language: "en" });
    const value = `auditor ${member.id}`;
    await bench.click(who, "role_revoke", { view: { id: "V1", hash: "h", kind: "modal", metadata }, value });
    expect(await heldBy(member)).toEqual(may ? [] : ["auditor"]);
  });

  test("a role is given for as long as was chosen, never for longer than a year, and given again it ends anew", async () => {
    const until = async () => (await (await bench.desk(bench.tenant)).roles.of(member.id, start))[0]?.until.getTime();
    for (const [days, expected] of [
      ["7", 7],
      ["100000", 365],
      ["-5", 1],
      ["", 30],
    ] as const) {
      await give(owner, [member], "auditor", "workspace", { days });
      expect(await until()).toBe(start.getTime() + expected * day);
    }
  });

  test("a form that is sent twice gives once; without a person it says so; another person's form gives nothing", async () => {
    const metadata = JSON.stringify({ person: owner.id, channel: hall, page: 0, sent: 3, language: "de" });
    const view = { id: "V1", hash: "h", kind: "modal" as const, metadata };
    const entered = new Map(Object.entries({ people: member.id, role: "auditor", where: "workspace", days: "7" }));
    const trigger = newId();
    for (const _ of [1, 2]) await bench.submit(owner, "role_grant", { view, entered, trigger });
    expect((await bench.audit()).filter((line) => line.includes("role-grant"))).toEqual([
      `${owner.id} role-grant auditor ${member.id} until 2026-06-08T12:00:00.000Z done`,
    ]);
    const empty = await bench.submit(owner, "role_grant", { view, entered: new Map([["role", "auditor"]]) });
    expect(empty).toEqual({ "role people 3": "Wähle mindestens eine Person." });
    await bench.submit(admin, "role_grant", { view, entered });
    expect((await bench.audit()).filter((line) => line.startsWith(admin.id))).toEqual([]);
  });

  test("the list has pages, says who gave what until when, and shows a member no more than their own", async () => {
    for (const who of [owner, admin, member])
      for (const role of roles)
        for (const channel of [undefined, hall])
          if (!channel || role === "tool-manager") await granted(who, role, { ...(channel && { channel }) });
    const first = await bench.click(owner, "show_roles", { at: { channel: hall } });
    expect(first).toContain(`<@${admin.id}> · *Auditor* in the whole workspace, until`);
    expect(first).toContain(`*Tool manager* in <#${hall}>`);
    expect(first).toContain("Give a role");
    const own = await bench.click(member, "show_roles", {});
    expect(own).toContain(`<@${member.id}> · *Auditor*`);
    expect(await bench.click(guest, "show_roles", {})).toContain("You hold none.");
    expect(own).not.toMatch(/Give a role/);
  });

  test("App Home shows everybody their own roles, and owners, admins and auditors everybody's", async () => {
    await granted(member, "template-editor", { channel: hall });
    expect(await home(member, /Your roles\n.*Template editor\* in <#C_HALL>, until .*\n/)).toBe(true);
    expect(await home(admin, /Your roles/)).toBe(false);
    expect(await home(admin, /\*Roles\*\n<@U_MEMBER> · \*Template editor\*/)).toBe(true);
    expect(await home(guest, /Roles|roles/)).toBe(false);
  });
});
